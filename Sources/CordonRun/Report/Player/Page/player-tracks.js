// Paths of people: vertices in time order, one person after the other, and positions between them.

/** The bytes of a text in base64 that HuffmanDeflate packed. */
const unpackedBytes = async (text) => {
  const binary = atob(text);
  const packed = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index++) packed[index] = binary.charCodeAt(index);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
};

/**
 * The paths of `meta`, whose unpacked columns are `bytes`. Times are milliseconds since 1970, places metres in the frame.
 *
 * A vertex starts a straight movement to the next one, except the last one of a visit.
 */
const tracksOf = (meta, bytes, start) => {
  let position = 0;
  const column = (count, isSigned) => {
    const values = new Float64Array(count);
    for (let index = 0; index < count; index++) {
      let value = 0;
      let scale = 1;
      for (;;) {
        const byte = bytes[position++];
        value += (byte & 127) * scale;
        if (byte < 128) break;
        scale *= 128;
      }
      values[index] = !isSigned ? value : value % 2 ? -(value + 1) / 2 : value / 2;
    }
    return values;
  };
  const counts = column(meta.people);
  const storeys = column(meta.visits);
  const starts = column(meta.visits);
  const firstX = column(meta.visits, true);
  const firstY = column(meta.visits, true);
  const lengths = column(meta.visits);
  const times = column(meta.steps);
  const stepX = column(meta.steps, true);
  const stepY = column(meta.steps, true);

  const total = meta.visits + meta.steps;
  const time = new Float64Array(total);
  const x = new Float32Array(total);
  const y = new Float32Array(total);
  const storey = new Int16Array(total);
  const isLast = new Uint8Array(total);
  const first = new Uint32Array(meta.people + 1);
  let [vertex, visit, step] = [0, 0, 0];
  for (let person = 0; person < meta.people; person++) {
    first[person] = vertex;
    let [ticks, unitsX, unitsY] = [0, 0, 0];
    const put = (place) => {
      time[vertex] = start + ticks * meta.tick;
      x[vertex] = unitsX * meta.unit;
      y[vertex] = unitsY * meta.unit;
      storey[vertex++] = place;
    };
    for (let own = 0; own < counts[person]; own++, visit++) {
      ticks += starts[visit];
      unitsX += firstX[visit];
      unitsY += firstY[visit];
      put(storeys[visit]);
      for (let index = 0; index < lengths[visit]; index++, step++) {
        ticks += times[step];
        unitsX += stepX[step];
        unitsY += stepY[step];
        put(storeys[visit]);
      }
      isLast[vertex - 1] = 1;
    }
  }
  first[meta.people] = vertex;

  // The vertex of each person that was used last; time mostly moves on by a little.
  const cursor = first.slice(0, meta.people);
  const seek = (person, at) => {
    const end = first[person + 1];
    let index = cursor[person];
    if (at >= time[index]) {
      for (let tries = 0; tries < 32; tries++) {
        if (index + 1 >= end || time[index + 1] > at) return (cursor[person] = index);
        index++;
      }
    }
    let [low, high] = [first[person], end];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (time[middle] <= at) low = middle;
      else high = middle;
    }
    return (cursor[person] = low);
  };
  return {
    people: meta.people,
    share: meta.share,
    tolerance: meta.tolerance,
    /** Puts the place of a person at a time into `spot`; false if the person is not there. */
    place: (person, at, spot) => {
      if (first[person] === first[person + 1]) return false;
      const index = seek(person, at);
      if (at < time[index]) return false;
      spot.storey = storey[index];
      spot.x = x[index];
      spot.y = y[index];
      if (isLast[index]) return at === time[index];
      const share = (at - time[index]) / (time[index + 1] - time[index]);
      spot.x += (x[index + 1] - x[index]) * share;
      spot.y += (y[index + 1] - y[index]) * share;
      return true;
    },
    /** The first and the last moment of a person; undefined for a person who never comes. */
    span: (person) => (first[person] === first[person + 1] ? undefined : [time[first[person]], time[first[person + 1] - 1]]),
  };
};
