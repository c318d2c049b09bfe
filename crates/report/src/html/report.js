(function () {
  'use strict';
  var root = document.documentElement, doc = document;
  function all(what, within) { return Array.prototype.slice.call((within || doc).querySelectorAll(what)); }
  // What this says, as the page gives it.
  var words = doc.body.dataset.words.split('|');
  // Light or dark by choice.
  var theme = doc.getElementById('theme'), dark = matchMedia('(prefers-color-scheme: dark)').matches;
  function name() { theme.textContent = words[dark ? 0 : 1]; }
  theme.hidden = false; name();
  theme.onclick = function () { dark = !dark; root.dataset.theme = dark ? 'dark' : 'light'; name(); };
  // Copying needs a page that the browser trusts; files are.
  all('[data-copy]').forEach(function (button) {
    if (!navigator.clipboard) return;
    button.hidden = false;
    button.onclick = function () {
      navigator.clipboard.writeText(doc.getElementById(button.dataset.copy).textContent).then(function () { button.textContent = words[2]; });
    };
  });
  addEventListener('beforeprint', function () { all('#findings details:not(.long), #repeat details, details.grid').forEach(function (d) { d.open = true; }); });

  // Scenes: the drawing in the page is replaced by one that can be turned.
  function decode(text) { var t = doc.createElement('textarea'); t.innerHTML = text; return t.value; }
  function scene(holder) {
    var figure = holder.parentNode, data = JSON.parse(holder.textContent), on = data.sets.map(function () { return true; });
    var svg = doc.createElementNS('http://www.w3.org/2000/svg', 'svg'), box = doc.createElement('div'), side = 34, above = 29;
    var width = 528, height = 449, flat = width * 0.27, high = height * 0.55;
    svg.setAttribute('viewBox', '0 0 ' + width + ' ' + height);
    svg.setAttribute('class', 'scn'); svg.setAttribute('role', 'img');
    var named = figure.querySelector('figcaption b').textContent + '; ' + words[3];
    [svg, box].forEach(function (one) { one.setAttribute('aria-label', named); });
    all('svg', figure).forEach(function (old) { old.remove(); });
    box.className = 'turn'; box.setAttribute('tabindex', '0'); box.setAttribute('role', 'group'); box.appendChild(svg);
    figure.insertBefore(box, holder);
    var esc = function (text) { var d = doc.createElement('div'); d.textContent = text; return d.innerHTML; };
    data.sets.forEach(function (set) { set.name = decode(set.name); });
    data.x.concat(data.y, data.z).forEach(function (tick) { tick[1] = decode(tick[1]); });
    ['xt', 'yt', 'zt'].forEach(function (name) { data[name] = decode(data[name]); });
    // Everything to draw, from the back to the front: its class with the points of a line or a facet, or with a text.
    function seen() {
      var a = side * Math.PI / 180, e = above * Math.PI / 180, out = [], parts = [];
      var ca = Math.cos(a), sa = Math.sin(a), ce = Math.cos(e), se = Math.sin(e);
      function see(x, y, z) {
        var depth = x * sa + y * ca;
        return [width / 2 + flat * (x * ca - y * sa), height * 0.53 + flat * depth * se - (z / data.most - 0.38) * high * ce, depth];
      }
      function line(p, q, c) { return { c: c, p: [p, q] }; }
      function text(p, said, anchor, c) { return { c: c, p: [p], said: said, anchor: anchor }; }
      var wx = sa >= 0 ? -1 : 1, wy = ca >= 0 ? -1 : 1;
      // Names stand outside of the edge that they are about: it runs to the left of the near corner, or to the right.
      var near = see(-wx, -wy, 0)[0], sx = see(wx, -wy, 0)[0] < near ? 'end' : 'start', sy = see(-wx, wy, 0)[0] < near ? 'end' : 'start';
      data.x.forEach(function (x) {
        out.push(line(see(x[0], -1, 0), see(x[0], 1, 0), 'gr'));
        var p = see(x[0], -wy * 1.13, 0); out.push(text([p[0], p[1] + 8], x[1], sx, 'tk'));
      });
      data.y.forEach(function (y) {
        out.push(line(see(-1, y[0], 0), see(1, y[0], 0), 'gr'));
        var p = see(-wx * 1.13, y[0], 0); out.push(text([p[0], p[1] + 5], y[1], sy, 'tk'));
      });
      data.z.forEach(function (tick) {
        var z = tick[0];
        out.push(line(see(wx, wy, z), see(wx, -wy, z), 'gr'), line(see(wx, wy, z), see(-wx, wy, z), 'gr'));
        var p = see(wx, -wy, z); out.push(text([p[0] - 5, p[1] + 4], tick[1], 'end', 'tk'));
      });
      data.sets.forEach(function (set, n) {
        if (!on[n]) return;
        set.p.forEach(function (row, j) {
          row.forEach(function (p, i) {
            if (!p) return;
            var next = set.p[j + 1], q = [p, row[i + 1], next && next[i + 1], next && next[i]];
            if (q[1] && q[2] && q[3]) {
              var facet = [see(data.x[i][0], data.y[j][0], q[0][0]), see(data.x[i + 1][0], data.y[j][0], q[1][0]), see(data.x[i + 1][0], data.y[j + 1][0], q[2][0]), see(data.x[i][0], data.y[j + 1][0], q[3][0])];
              var doubt = q[0][3] + q[1][3] + q[2][3] + q[3][3] > 1;
              parts.push([(facet[0][2] + facet[1][2] + facet[2][2] + facet[3][2]) / 4, { c: (doubt ? 'u' : 'f') + n % 12, p: facet, closed: true }]);
            }
            var foot = see(data.x[i][0], data.y[j][0], p[1]), top = see(data.x[i][0], data.y[j][0], p[2]);
            parts.push([foot[2] + 0.06, line(foot, top, p[3] ? 'dl' : 'l' + n % 12)]);
          });
        });
      });
      parts.sort(function (a, b) { return a[0] - b[0]; });
      parts.forEach(function (p) { out.push(p[1]); });
      // Each name with a line as the edges of its facets are: of two of one colour one is dashed.
      data.sets.forEach(function (set, n) {
        var foot = 14 + 16 * n, left = width - 24;
        out.push(text([left - 6, foot], set.name, 'end', 'n' + n % 12), line([left, foot - 4], [width, foot - 4], 'h' + n % 12));
      });
      out.push(text([0, 14], data.zt, 'start', 'an'), text([0, height - 6], data.xt, 'start', 'an'), text([width, height - 6], data.yt, 'end', 'an'));
      return out;
    }
    function at(p) { return p[0].toFixed(1) + ' ' + p[1].toFixed(1); }
    function draw() {
      svg.innerHTML = seen().map(function (it) {
        if (it.said === undefined) return '<path class="' + it.c + '" d="M' + it.p.map(at).join('L') + (it.closed ? 'Z' : '') + '"/>';
        return '<text class="' + it.c + '" x="' + it.p[0][0].toFixed(1) + '" y="' + it.p[0][1].toFixed(1) + '" text-anchor="' + it.anchor + '">' + esc(it.said) + '</text>';
      }).join('');
    }
    // While it turns it is painted, without dashes and without a rim around words: a browser without a graphics processor
    // takes half a second for a new drawing. At rest it is a drawing again, for the printer and for whoever marks its words.
    var canvas = null, styles = {}, scale = 1, rest = 0;
    function styleOf(it) {
      if (!styles[it.c]) {
        var probe = doc.createElementNS(svg.namespaceURI, it.said === undefined ? 'path' : 'text');
        probe.setAttribute('class', it.c); svg.appendChild(probe);
        var css = getComputedStyle(probe);
        styles[it.c] = {
          fill: css.fill, through: +css.fillOpacity, stroke: css.stroke, wide: parseFloat(css.strokeWidth),
          font: css.fontWeight + ' ' + css.fontSize + ' ' + css.fontFamily
        };
        probe.remove();
      }
      return styles[it.c];
    }
    function paint() {
      var pen = canvas.getContext('2d', { willReadFrequently: true });
      pen.setTransform(scale, 0, 0, scale, 0, 0); pen.clearRect(0, 0, width, height); pen.lineJoin = 'round';
      seen().forEach(function (it) {
        var css = styleOf(it), p = it.p;
        pen.strokeStyle = css.stroke; pen.fillStyle = css.fill; pen.lineWidth = css.wide;
        if (it.said !== undefined) {
          pen.font = css.font; pen.textAlign = it.anchor;
          pen.fillText(it.said, p[0][0], p[0][1]);
          return;
        }
        pen.beginPath(); pen.moveTo(p[0][0], p[0][1]);
        for (var n = 1; n < p.length; n++) pen.lineTo(p[n][0], p[n][1]);
        if (it.closed) { pen.closePath(); pen.globalAlpha = css.through; pen.fill(); pen.globalAlpha = 1; }
        pen.stroke();
      });
    }
    function begin() {
      if (!canvas) {
        canvas = doc.createElement('canvas'); canvas.setAttribute('aria-hidden', 'true');
        scale = svg.getBoundingClientRect().width / width * (devicePixelRatio || 1); styles = {};
        canvas.width = width * scale; canvas.height = height * scale; box.appendChild(canvas); svg.style.visibility = 'hidden';
      }
      clearTimeout(rest); rest = setTimeout(end, 250);
    }
    function end() {
      if (!canvas) return;
      if (held) { rest = setTimeout(end, 250); return; }
      draw(); svg.style.visibility = ''; canvas.remove(); canvas = null;
    }
    var pending = false, held = null;
    function later() { begin(); if (!pending) { pending = true; requestAnimationFrame(function () { pending = false; if (canvas) paint(); }); } }
    function turn(s, u) { side += s; above = Math.max(5, Math.min(60, above + u)); later(); }
    box.onkeydown = function (event) {
      var by = { ArrowLeft: [-6, 0], ArrowRight: [6, 0], ArrowUp: [0, 4], ArrowDown: [0, -4] }[event.key];
      if (by) { turn(by[0], by[1]); event.preventDefault(); }
    };
    box.onpointerdown = function (event) { held = [event.clientX, event.clientY]; box.setPointerCapture(event.pointerId); };
    box.onpointermove = function (event) {
      if (!held) return;
      turn((held[0] - event.clientX) / 3, (event.clientY - held[1]) / 3); held = [event.clientX, event.clientY];
    };
    box.onpointerup = box.onpointercancel = function () { held = null; };
    addEventListener('beforeprint', function () { held = null; end(); });
    var ctl = doc.createElement('div'); ctl.className = 'ctl';
    [[words[4], function (v) { side = v; }, -180, 180, side], [words[5], function (v) { above = v; }, 5, 60, above]].forEach(function (one) {
      var label = doc.createElement('label'), input = doc.createElement('input');
      label.textContent = one[0]; input.type = 'range'; input.min = one[2]; input.max = one[3]; input.value = one[4];
      input.oninput = function () { one[1](+input.value); later(); }; label.appendChild(input); ctl.appendChild(label);
    });
    if (data.sets.length > 1) data.sets.forEach(function (set, n) {
      var button = doc.createElement('button'); button.type = 'button'; button.textContent = set.name; button.setAttribute('aria-pressed', 'true');
      button.onclick = function () { on[n] = !on[n]; button.setAttribute('aria-pressed', String(on[n])); later(); }; ctl.appendChild(button);
    });
    figure.appendChild(ctl); draw();
  }
  all('script.scene').forEach(scene);

  // The nearest mark within 24 pixels says what it is, for mouse and finger.
  // A drawing is made ready when the pointer comes to it: a large page has a hundred thousand marks.
  function ready(svg) {
    all('title', svg).forEach(function (title) { title.parentNode.dataset.t = title.textContent; title.remove(); });
  }
  var tip = doc.createElement('div'); tip.id = 'tip'; tip.hidden = true; tip.setAttribute('aria-hidden', 'true'); doc.body.appendChild(tip);
  function seek(event) {
    var svg = event.target.closest && event.target.closest('svg'), best = null, near = 24;
    if (svg) ready(svg);
    if (svg && !svg.classList.contains('scn')) all('[data-t]', svg).forEach(function (mark) {
      var box = mark.getBoundingClientRect(), away = Math.hypot(box.left + box.width / 2 - event.clientX, box.top + box.height / 2 - event.clientY);
      if (mark.dataset.t && away < near) { near = away; best = mark; }
    });
    tip.hidden = !best;
    if (!best) return;
    var box = best.getBoundingClientRect(); tip.textContent = best.dataset.t;
    tip.style.left = Math.max(4, Math.min(box.left + box.width / 2 + 10, innerWidth - tip.offsetWidth - 6)) + 'px';
    tip.style.top = Math.max(4, box.top - tip.offsetHeight - 6) + 'px';
  }
  doc.addEventListener('pointermove', seek); doc.addEventListener('pointerdown', seek);
  addEventListener('scroll', function () { tip.hidden = true; }, { passive: true });
})();
