extension ReplayPage {
  static let style = """
    :root{color-scheme:light dark;--ink:#1d2733;--soft:#5b6b7b;--line:#c9d2db;--back:#f6f8fa;--card:#fff}
    @media screen and (prefers-color-scheme:dark){:root{--ink:#e5ebf1;--soft:#9fb0c0;--line:#3a4653;--back:#12181f;--card:#1b232c}}
    *{box-sizing:border-box}body{margin:0 auto;max-width:1400px;padding:16px 20px 76px;font:14px/1.45 system-ui,sans-serif;color:var(--ink);background:var(--back)}
    h1{font-size:20px;margin:0}h2{font-size:15px;margin:0 0 6px}header p{margin:0 0 12px;color:var(--soft)}
    .figures{display:flex;flex-wrap:wrap;gap:8px}.figures div{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:6px 14px;min-width:92px}
    .figures b{display:block;font-size:20px;font-variant-numeric:tabular-nums}.figures span{color:var(--soft)}
    .hint,.assumed{color:var(--soft)}.assumed{padding-left:18px;margin:10px 0 0}.warn{color:#b3261e;font-weight:600}
    .view{display:grid;grid-template-columns:minmax(0,1fr) minmax(280px,420px);gap:16px}@media(max-width:900px){.view{grid-template-columns:1fr}}
    .map,aside{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:10px}
    svg{width:100%;height:auto;max-height:62vh;display:block;touch-action:none}nav button{margin:0 6px 8px 0}
    button{font:inherit;padding:4px 12px;border:1px solid var(--line);border-radius:6px;background:var(--back);color:var(--ink);cursor:pointer}
    button[aria-pressed=true]{background:#1f6feb;color:#fff;border-color:#1f6feb}
    .legend{display:flex;flex-wrap:wrap;gap:4px 14px;color:var(--soft)}.legend i{display:inline-block;width:10px;height:10px;border-radius:50%;margin-right:5px}
    ol{list-style:none;margin:6px 0 0;padding:0;height:60vh;overflow:auto;font:12px/1.5 ui-monospace,monospace}
    li{padding:1px 4px;border-radius:4px;overflow-wrap:anywhere}ol li{cursor:pointer}ol li.past{opacity:1}ol li.later{opacity:.35}ol li.now{background:#1f6feb22}
    footer{position:fixed;left:0;right:0;bottom:0;display:flex;gap:12px;align-items:center;padding:10px 20px;background:var(--card);border-top:1px solid var(--line)}
    footer input{flex:1}output{font-variant-numeric:tabular-nums;white-space:nowrap}
    """

  static let script = """
    'use strict';(()=>{const D=JSON.parse(document.getElementById('data').textContent),$=i=>document.getElementById(i);
    const NS='http://www.w3.org/2000/svg',svg=$('map'),colours={stored:'#1a7f37',held:'#2da44e',thinned:'#7fb8ea',outside:'#d1242f',unrecorded_space:'#a40e26'};
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
    function draw(){under.replaceChildren();make('path',{d:path(D.boundary),fill:'var(--back)',stroke:'var(--ink)','stroke-width':dot*.35,'fill-rule':'evenodd'},under);
    const f=D.floors[floor];if(f){f.spaces.forEach(s=>{const e=make('path',{d:path(s.rings),fill:'var(--card)',stroke:'var(--line)','stroke-width':dot*.15,'fill-rule':'evenodd'},under);if(s.name){const t=make('title',{},e);t.textContent=s.name}});
    f.walls.forEach(w=>make('line',{x1:w[0],y1:-w[1],x2:w[2],y2:-w[3],stroke:'var(--soft)','stroke-width':dot*.25},under))}}
    D.floors.forEach((f,i)=>{const b=document.createElement('button');b.textContent=f.name||('floor '+f.ordinal);b.onclick=()=>{floor=i;draw();show();press()};$('floors').append(b)});
    const press=()=>[...$('floors').children].forEach((b,i)=>b.setAttribute('aria-pressed',i===floor));
    const rings=new Set(),marks=D.points.map(p=>{if(p.x===undefined)return null;const g=make('g',{},over),ring=[p.d,p.f,p.x,p.y].join();
    if(p.a&&!rings.has(ring))rings.add(ring),make('circle',{cx:p.x,cy:-p.y,r:p.a,fill:colour(p.v),opacity:.07},g);
    make('circle',{cx:p.x,cy:-p.y,r:dot,fill:colour(p.v),stroke:'var(--card)','stroke-width':dot*.2},g);make('title',{},g).textContent=D.devices[p.d]+', fix '+p.i+': '+p.v;return g});
    const trails=D.devices.map(()=>make('polyline',{fill:'none',stroke:'#1f6feb','stroke-width':dot*.4,opacity:.6},over));
    const items=D.log.map(l=>{const e=document.createElement('li');e.textContent=l[1];e.onclick=()=>{slider.value=l[0]-first;show()};$('log').append(e);return e});
    const kinds=[...new Set(D.points.map(p=>p.v))].sort();$('legend').innerHTML=kinds.map(k=>'<span><i style="background:'+colour(k)+'"></i>'+k+' '+D.points.filter(p=>p.v===k).length+'</span>').join('');
    const slider=$('time');slider.max=Math.max(1,last-first);slider.value=slider.max;
    function show(){const now=first+ +slider.value,here=D.floors[floor];const lines=D.devices.map(()=>[]);
    D.points.forEach((p,i)=>{const g=marks[i];if(!g)return;const on=p.t<=now,same=p.f===undefined||!here||p.f===here.ordinal;g.style.display=on?'':'none';g.style.opacity=same?1:.2;if(on)lines[p.d].push(p.x+','+-p.y)});
    trails.forEach((t,i)=>t.setAttribute('points',lines[i].slice(-40).join(' ')));
    let current=-1;D.log.forEach((l,i)=>{const past=l[0]<=now;items[i].className=past?'past':'later';if(past)current=i});
    if(current>=0){const li=items[current],ol=li.parentNode,top=li.offsetTop-ol.offsetTop;li.classList.add('now');
    if(top<ol.scrollTop)ol.scrollTop=top;else if(top+li.offsetHeight>ol.scrollTop+ol.clientHeight)ol.scrollTop=top+li.offsetHeight-ol.clientHeight}
    $('clock').textContent=isFinite(now)?new Date(now).toISOString().replace('T',' ').slice(0,19)+' UTC':''}
    slider.oninput=show;$('onlyfix').onchange=e=>items.forEach((x,i)=>x.hidden=e.target.checked&&!D.log[i][2]);
    let timer=0;$('play').onclick=()=>{if(timer){clearInterval(timer);timer=0;$('play').textContent='Play';return}$('play').textContent='Stop';if(+slider.value>=+slider.max)slider.value=0;
    timer=setInterval(()=>{slider.value=+slider.value+slider.max/240;show();if(+slider.value>=+slider.max){$('play').onclick()}},50)};
    draw();press();show()})();
    """
}
