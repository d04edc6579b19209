extension ReplayPage {
  /// The rules that only this page has; colours and type are those of all pages.
  static let style = """
    .replay .masthead, .replay main { max-width: 1360px; }
    .tiles { display: flex; flex-wrap: wrap; gap: 10px; margin: 0; }
    .tiles div { display: flex; flex-direction: column-reverse; border: 1px solid var(--line); border-radius: 8px; background: var(--card); padding: 8px 16px; min-width: 96px; }
    .tiles dd { margin: 0; font-size: 1.4rem; font-weight: 600; line-height: 1.2; } .tiles dt { font-size: .875rem; color: var(--soft); }
    .view { display: grid; grid-template-columns: minmax(0, 1fr) minmax(280px, 420px); gap: 24px; }
    .map svg { display: block; width: 100%; height: auto; max-height: 62vh; margin: 10px 0; touch-action: pan-y; }
    .legend i { border-radius: 50%; width: 11px; height: 11px; }
    .time { display: flex; flex-wrap: wrap; gap: 8px 14px; align-items: center; margin-top: 12px; }
    .time input { flex: 1 1 160px; min-width: 0; accent-color: var(--truth); } .time output { font-size: .9rem; }
    #log { list-style: none; margin: 6px 0 0; padding: 0; height: 60vh; overflow: auto; font: .78rem/1.5 var(--mono); border: 1px solid var(--line); border-radius: 8px; background: var(--card); }
    #log li { padding: 2px 8px; overflow-wrap: anywhere; cursor: pointer; }
    #log li.later { color: var(--soft); } #log li.now { background: var(--truth-soft); }
    @media screen and (max-width: 900px) { .view { grid-template-columns: minmax(0, 1fr); } }
    @media print { .time, .log p, #floors { display: none; } .view { display: block; } #log { height: auto; overflow: visible; border: 0; font-size: 7.5pt; } #log li { padding: 0; } #log li.now { background: none; } }
    """

  static let script = """
    'use strict';(()=>{const D=JSON.parse(document.getElementById('data').textContent),$=i=>document.getElementById(i);
    const NS='http://www.w3.org/2000/svg',svg=$('map'),colours={stored:'#1a7f37',held:'#2da44e',thinned:'#5b9bd5',outside:'#d1242f',unrecorded_space:'#a40e26'};
    const colour=v=>colours[v]||'#bf8700',times=D.points.map(p=>p.t).concat(D.log.map(l=>l[0]));
    const first=times.reduce((a,b)=>Math.min(a,b),Infinity),last=times.reduce((a,b)=>Math.max(a,b),-Infinity);
    let box=[Infinity,Infinity,-Infinity,-Infinity];const grow=(x,y)=>{box=[Math.min(box[0],x),Math.min(box[1],-y),Math.max(box[2],x),Math.max(box[3],-y)]};
    D.boundary.forEach(r=>r.forEach(p=>grow(p[0],p[1])));D.points.forEach(p=>{if(p.x!==undefined)grow(p.x,p.y)});
    if(!isFinite(box[0]))box=[-10,-10,10,10];const m=Math.max(2,(box[2]-box[0])*.04);
    svg.setAttribute('viewBox',[box[0]-m,box[1]-m,box[2]-box[0]+2*m,box[3]-box[1]+2*m].join(' '));
    const span=Math.max(box[2]-box[0],box[3]-box[1]),dot=Math.max(.25,span/170),make=(n,a,p)=>{const e=document.createElementNS(NS,n);for(const k in a)e.setAttribute(k,a[k]);(p||svg).append(e);return e};
    const path=rs=>rs.map(r=>'M'+r.map(p=>p[0]+' '+-p[1]).join('L')+'Z').join('');
    const under=make('g',{}),over=make('g',{});let floor=0;
    const seen={};D.points.forEach(p=>{if(p.f!==undefined&&p.x!==undefined)seen[p.f]=(seen[p.f]||0)+1});
    D.floors.forEach((f,i)=>{if((seen[f.ordinal]||0)>(seen[D.floors[floor].ordinal]||0))floor=i});
    function draw(){under.replaceChildren();make('path',{d:path(D.boundary),fill:'var(--h0)',stroke:'var(--wall)','stroke-width':dot*.35,'fill-rule':'evenodd'},under);
    const f=D.floors[floor];if(f){f.spaces.forEach(s=>{const e=make('path',{d:path(s.rings),fill:'var(--card)',stroke:'var(--door)','stroke-width':dot*.15,'fill-rule':'evenodd'},under);if(s.name){const t=make('title',{},e);t.textContent=s.name}});
    f.walls.forEach(w=>make('line',{x1:w[0],y1:-w[1],x2:w[2],y2:-w[3],stroke:'var(--wall)','stroke-width':dot*.25},under))}}
    D.floors.forEach((f,i)=>{const b=document.createElement('button');b.textContent=f.name||('floor '+f.ordinal);b.onclick=()=>{floor=i;draw();show();press()};$('floors').append(b)});
    const press=()=>[...$('floors').children].forEach((b,i)=>b.setAttribute('aria-pressed',i===floor));
    const rings=new Set(),marks=D.points.map(p=>{if(p.x===undefined)return null;const g=make('g',{},over),ring=[p.d,p.f,p.x,p.y].join();
    if(p.a&&!rings.has(ring))rings.add(ring),make('circle',{cx:p.x,cy:-p.y,r:p.a,fill:colour(p.v),opacity:.07},g);
    make('circle',{cx:p.x,cy:-p.y,r:dot,fill:colour(p.v),stroke:'var(--card)','stroke-width':dot*.2},g);make('title',{},g).textContent=D.devices[p.d]+', fix '+p.i+': '+p.v;return g});
    const trails=D.devices.map(()=>make('polyline',{fill:'none',stroke:'var(--truth)','stroke-width':dot*.4,opacity:.6},over));
    const items=D.log.map(l=>{const e=document.createElement('li');e.textContent=l[1];e.onclick=()=>{slider.value=l[0]-first;show()};$('log').append(e);return e});
    const kinds=[...new Set(D.points.map(p=>p.v))].sort();kinds.forEach(k=>{const li=document.createElement('li'),i=document.createElement('i');i.style.setProperty('--c',colour(k));li.append(i,k.replaceAll('_',' ')+' '+D.points.filter(p=>p.v===k).length);$('legend').append(li)});
    const slider=$('time');slider.max=Math.max(1,last-first);slider.value=slider.max;
    function show(){const now=first+ +slider.value,here=D.floors[floor];const lines=D.devices.map(()=>[]);
    D.points.forEach((p,i)=>{const g=marks[i];if(!g)return;const on=p.t<=now,same=p.f===undefined||!here||p.f===here.ordinal;g.style.display=on?'':'none';g.style.opacity=same?1:.2;if(on)lines[p.d].push(p.x+','+-p.y)});
    trails.forEach((t,i)=>t.setAttribute('points',lines[i].slice(-40).join(' ')));
    let current=-1;D.log.forEach((l,i)=>{const past=l[0]<=now;items[i].className=past?'past':'later';if(past)current=i});
    if(current>=0){const li=items[current],ol=li.parentNode,top=li.offsetTop-ol.offsetTop;li.classList.add('now');
    if(top<ol.scrollTop)ol.scrollTop=top;else if(top+li.offsetHeight>ol.scrollTop+ol.clientHeight)ol.scrollTop=top+li.offsetHeight-ol.clientHeight}
    $('clock').textContent=isFinite(now)?new Date(now).toISOString().replace('T',' ').slice(0,19)+' UTC':''}
    const go=i=>{slider.value=D.log[i][0]-first;show()};
    $('log').onkeydown=e=>{const step={ArrowDown:1,ArrowUp:-1}[e.key];if(!step)return;e.preventDefault();const now=first+ +slider.value;
    let i=step>0?D.log.findIndex(l=>l[0]>now):D.log.findLastIndex(l=>l[0]<now);if(i>=0)go(i)};
    slider.oninput=show;$('onlyfix').onchange=e=>items.forEach((x,i)=>x.hidden=e.target.checked&&!D.log[i][2]);
    let timer=0;$('play').onclick=()=>{if(timer){clearInterval(timer);timer=0;$('play').textContent='Play';return}$('play').textContent='Stop';if(+slider.value>=+slider.max)slider.value=0;
    const still=matchMedia('(prefers-reduced-motion: reduce)').matches;
    timer=setInterval(()=>{slider.value=+slider.value+slider.max/(still?24:240);show();if(+slider.value>=+slider.max){$('play').onclick()}},still?1000:50)};
    draw();press();show();document.documentElement.dataset.ready='true'})();
    """
}
