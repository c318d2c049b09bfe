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
    var svg = doc.createElementNS('http://www.w3.org/2000/svg', 'svg'), side = 34, above = 29;
    var width = 528, height = 449, flat = width * 0.27, high = height * 0.55;
    svg.setAttribute('viewBox', '0 0 ' + width + ' ' + height);
    svg.setAttribute('class', 'scn'); svg.setAttribute('role', 'img'); svg.setAttribute('tabindex', '0');
    svg.setAttribute('aria-label', figure.querySelector('figcaption b').textContent + '; ' + words[3]);
    all('svg', figure).forEach(function (old) { old.remove(); });
    figure.insertBefore(svg, holder);
    var esc = function (text) { var d = doc.createElement('div'); d.textContent = decode(text); return d.innerHTML; };
    function draw() {
      var a = side * Math.PI / 180, e = above * Math.PI / 180, out = [], parts = [];
      var ca = Math.cos(a), sa = Math.sin(a), ce = Math.cos(e), se = Math.sin(e);
      function see(x, y, z) {
        var depth = x * sa + y * ca;
        return [width / 2 + flat * (x * ca - y * sa), height * 0.53 + flat * depth * se - (z / data.most - 0.38) * high * ce, depth];
      }
      function at(p) { return p[0].toFixed(1) + ' ' + p[1].toFixed(1); }
      function line(p, q, c) { return '<path class="' + c + '" d="M' + at(p) + 'L' + at(q) + '"/>'; }
      function text(p, said, anchor, c) { return '<text class="' + c + '" x="' + p[0].toFixed(1) + '" y="' + p[1].toFixed(1) + '" text-anchor="' + anchor + '">' + esc(said) + '</text>'; }
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
      [0.25, 0.5, 0.75, 1].forEach(function (part) {
        var z = data.most * part;
        out.push(line(see(wx, wy, z), see(wx, -wy, z), 'gr') + line(see(wx, wy, z), see(-wx, wy, z), 'gr'));
        var p = see(wx, -wy, z); out.push(text([p[0] - 5, p[1] + 4], String(Math.round(z * 10) / 10), 'end', 'tk'));
      });
      data.sets.forEach(function (set, n) {
        if (!on[n]) return;
        set.p.forEach(function (row, j) {
          row.forEach(function (p, i) {
            if (!p) return;
            var next = set.p[j + 1], q = [p, row[i + 1], next && next[i + 1], next && next[i]];
            if (q[1] && q[2] && q[3]) {
              var seen = [see(data.x[i][0], data.y[j][0], q[0][0]), see(data.x[i + 1][0], data.y[j][0], q[1][0]), see(data.x[i + 1][0], data.y[j + 1][0], q[2][0]), see(data.x[i][0], data.y[j + 1][0], q[3][0])];
              var doubt = q[0][2] + q[1][2] + q[2][2] + q[3][2] > 1;
              parts.push([(seen[0][2] + seen[1][2] + seen[2][2] + seen[3][2]) / 4, '<path class="' + (doubt ? 'u' : 'f') + n % 12 + '" d="M' + seen.map(at).join('L') + 'Z"/>']);
            }
            var foot = see(data.x[i][0], data.y[j][0], p[0] - p[1]), top = see(data.x[i][0], data.y[j][0], p[0] + p[1]);
            parts.push([foot[2] + 0.06, line(foot, top, p[2] ? 'dl' : 'l' + n % 12)]);
          });
        });
      });
      parts.sort(function (a, b) { return a[0] - b[0]; });
      parts.forEach(function (p) { out.push(p[1]); });
      data.sets.forEach(function (set, n) { out.push(text([width, 14 + 16 * n], set.name, 'end', 'n' + n % 12)); });
      out.push(text([0, 14], data.z, 'start', 'an'), text([0, height - 6], data.xt, 'start', 'an'), text([width, height - 6], data.yt, 'end', 'an'));
      svg.innerHTML = out.join('');
    }
    var pending = false;
    function later() { if (!pending) { pending = true; requestAnimationFrame(function () { pending = false; draw(); }); } }
    function turn(s, u) { side += s; above = Math.max(5, Math.min(85, above + u)); later(); }
    svg.onkeydown = function (event) {
      var by = { ArrowLeft: [-6, 0], ArrowRight: [6, 0], ArrowUp: [0, 4], ArrowDown: [0, -4] }[event.key];
      if (by) { turn(by[0], by[1]); event.preventDefault(); }
    };
    var held = null;
    svg.onpointerdown = function (event) { held = [event.clientX, event.clientY]; svg.setPointerCapture(event.pointerId); };
    svg.onpointermove = function (event) {
      if (!held) return;
      turn((held[0] - event.clientX) / 3, (event.clientY - held[1]) / 3); held = [event.clientX, event.clientY];
    };
    svg.onpointerup = svg.onpointercancel = function () { held = null; };
    var ctl = doc.createElement('div'); ctl.className = 'ctl';
    [[words[4], function (v) { side = v; }, -180, 180, side], [words[5], function (v) { above = v; }, 5, 85, above]].forEach(function (one) {
      var label = doc.createElement('label'), input = doc.createElement('input');
      label.textContent = one[0]; input.type = 'range'; input.min = one[2]; input.max = one[3]; input.value = one[4];
      input.oninput = function () { one[1](+input.value); later(); }; label.appendChild(input); ctl.appendChild(label);
    });
    if (data.sets.length > 1) data.sets.forEach(function (set, n) {
      var button = doc.createElement('button'); button.type = 'button'; button.textContent = decode(set.name); button.setAttribute('aria-pressed', 'true');
      button.onclick = function () { on[n] = !on[n]; button.setAttribute('aria-pressed', String(on[n])); later(); }; ctl.appendChild(button);
    });
    figure.appendChild(ctl); draw();
  }
  all('script.scene').forEach(scene);

  // The nearest mark within 24 pixels says what it is, for mouse and finger.
  all('main svg title').forEach(function (title) { title.parentNode.dataset.t = title.textContent; title.remove(); });
  var tip = doc.createElement('div'); tip.id = 'tip'; tip.hidden = true; tip.setAttribute('aria-hidden', 'true'); doc.body.appendChild(tip);
  function seek(event) {
    var svg = event.target.closest && event.target.closest('svg'), best = null, near = 24;
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
