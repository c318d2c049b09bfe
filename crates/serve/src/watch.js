(function () {
  'use strict';
  var KEPT = 120, SVG = 'http://www.w3.org/2000/svg', doc = document;
  var place = doc.getElementById('watch'), section = doc.getElementById('charts'), pics = section.querySelector('.pics');
  var lost = doc.createElement('p');
  lost.className = 'note lost'; lost.hidden = true; lost.setAttribute('role', 'status');
  lost.textContent = place.dataset.lost;
  place.parentNode.insertBefore(lost, place);
  // As the page gives them: `%` and `#` are what is put in.
  var charts = {}, words = place.dataset.words.split('|');
  function node(name, attributes, text) {
    var made = doc.createElementNS(SVG, name);
    Object.keys(attributes).forEach(function (key) { made.setAttribute(key, attributes[key]); });
    if (text !== undefined) made.textContent = text;
    return made;
  }
  function chart(name, unit, lines) {
    if (charts[name]) return charts[name];
    var figure = doc.createElement('figure'), caption = doc.createElement('figcaption');
    var claim = doc.createElement('b'), note = doc.createElement('span'), svg = node('svg', { role: 'img' });
    claim.textContent = name; note.textContent = words[8].replace('%', unit).replace('#', lines.join(', '));
    caption.appendChild(claim); caption.appendChild(note); figure.appendChild(caption); figure.appendChild(svg); pics.appendChild(figure);
    return charts[name] = { svg: svg, name: name, lines: lines, points: [] };
  }
  // The top of an axis: 1, 2 or 5 times a power of ten.
  function top(most) {
    var power = Math.pow(10, Math.floor(Math.log10(most)));
    return [1, 2, 5, 10].map(function (n) { return n * power; }).find(function (n) { return n >= most; });
  }
  function draw(one, least) {
    var svg = one.svg, width = Math.max(240, svg.clientWidth), height = 150, left = 44, right = 60, below = 22, above = 8;
    var most = least;
    one.points.forEach(function (p) { p.y.forEach(function (y) { most = Math.max(most, y); }); });
    most = top(most);
    var last = one.points[one.points.length - 1];
    function x(at) { return left + (width - left - right) * (1 - (last.at - at) / KEPT); }
    function y(value) { return above + (height - above - below) * (1 - value / most); }
    svg.textContent = ''; svg.setAttribute('viewBox', '0 0 ' + width + ' ' + height);
    svg.setAttribute('aria-label', one.name + ', ' + words[9] + ': ' + one.lines.map(function (n, i) { return n + ' ' + last.y[i].toFixed(1); }).join(', '));
    [0, 0.5, 1].forEach(function (part) {
      var at = y(most * part);
      svg.appendChild(node('path', { 'class': part ? 'gr' : 'ax', d: 'M' + left + ' ' + at + 'H' + (width - right) }));
      svg.appendChild(node('text', { 'class': 'tk', x: left - 6, y: at + 4, 'text-anchor': 'end' }, String(+(most * part).toPrecision(3))));
    });
    [120, 60, 0].forEach(function (ago) {
      svg.appendChild(node('text', { 'class': 'tk', x: x(last.at - ago), y: height - 4, 'text-anchor': ago ? 'middle' : 'end' }, ago ? '−' + ago + ' s' : words[9]));
    });
    var ends = one.lines.map(function (name, n) { return { name: name, n: n, y: y(last.y[n]) + 4 }; }).sort(function (a, b) { return a.y - b.y; });
    for (var i = 1; i < ends.length; i++) ends[i].y = Math.max(ends[i].y, ends[i - 1].y + 13);
    ends.forEach(function (end) {
      var d = one.points.map(function (p, k) { return (k ? 'L' : 'M') + x(p.at).toFixed(1) + ' ' + y(p.y[end.n]).toFixed(1); }).join('');
      svg.appendChild(node('path', { 'class': 'l' + end.n, d: d }));
      svg.appendChild(node('text', { 'class': 'n' + end.n, x: width - right + 6, y: end.y }, end.name));
    });
  }
  function add(name, unit, lines, at, values, least) {
    var one = chart(name, unit, lines);
    one.points.push({ at: at, y: values });
    while (one.points[0].at < at - KEPT) one.points.shift();
    if (one.points.length > 1) draw(one, least);
  }
  var events = new EventSource(place.dataset.events), seen = 0;
  events.onmessage = function (event) { lost.hidden = true; place.innerHTML = event.data; };
  events.onerror = function () { lost.hidden = false; };
  events.addEventListener('sample', function (event) {
    var sample = JSON.parse(event.data);
    if (sample.at === seen) return;
    seen = sample.at; section.hidden = false;
    sample.layers.forEach(function (layer) {
      add(words[0].replace('%', layer.name), 'MiB/s', [words[1], words[2]], sample.at, [layer.read / 1048576, layer.write / 1048576], 1);
      add(words[3].replace('%', layer.name), words[4], [words[5]], sample.at, [layer.busy * 100], 100);
    });
    if (sample.cpu) add(words[6], words[7], [words[5], 'iowait'], sample.at, [sample.cpu.busy * 100, sample.cpu.iowait * 100], 100);
  });
})();
