// What is wrong with the page for those who do not see it well or use no mouse: the rules of WCAG 2.2, level AA, that
// a program can judge, each fault as `rule: where`. https://www.w3.org/TR/WCAG22/
(function (language) {
  'use strict';
  var doc = document, faults = [];
  function all(what) { return Array.prototype.slice.call(doc.querySelectorAll(what)); }
  all('details').forEach(function (one) { one.open = true; });
  function where(one) { return one.outerHTML.replace(/\s+/g, ' ').slice(0, 110); }
  function fault(rule, one) { faults.push(rule + ': ' + (one.outerHTML ? where(one) : one)); }
  function seen(one) { return one.checkVisibility({ visibilityProperty: true }) && !one.closest('[aria-hidden=true]'); }
  function name(one) {
    var label = one.getAttribute('aria-label'), title = one.querySelector && one.querySelector(':scope > title');
    return (label || (title && title.textContent) || one.textContent || one.getAttribute('title') || '').trim();
  }

  // 1.1.1: a picture says what it shows.
  all('svg, img, canvas').filter(seen).forEach(function (one) {
    var label = one.getAttribute('aria-label') || one.getAttribute('alt') || (one.querySelector(':scope > title') || {}).textContent;
    if (!label || !label.trim() || (one.localName === 'svg' && one.getAttribute('role') !== 'img')) fault('picture without a name', one);
  });
  // 1.3.1: headings without a gap, tables whose cells have heads, lists of items.
  var level = 0;
  all('h1, h2, h3, h4, h5, h6').filter(seen).forEach(function (one) {
    var own = +one.localName[1];
    if (own > level + 1 || (own === 1 && level) || !one.textContent.trim()) fault('heading out of order', one);
    level = own;
  });
  all('table').filter(seen).forEach(function (one) {
    if (!one.querySelector('th')) fault('table without a head', one);
  });
  all('th').forEach(function (one) { if (!/^(col|row)(group)?$/.test(one.scope) || !one.textContent.trim()) fault('head of nothing', one); });
  all('ol > :not(li), ul > :not(li), dl > :not(dt):not(dd):not(div)').forEach(function (one) { fault('list of something else', one); });
  if (all('main').length !== 1) fault('main part', String(all('main').length));
  // 2.4.2, 3.1.1: title and language.
  if (!doc.title.trim()) fault('title', 'none');
  if (doc.documentElement.lang !== language) fault('language', doc.documentElement.lang);
  // 4.1.1 of WCAG 2.1: names of elements are there once, and what refers to one finds it.
  var ids = all('[id]').map(function (one) { return one.id; });
  ids.filter(function (id, at) { return ids.indexOf(id) !== at; }).forEach(function (id) { fault('id twice', id); });
  all('a[href^="#"]').forEach(function (one) { if (ids.indexOf(one.hash.slice(1)) < 0) fault('link to nothing', one); });
  // 1.3.1, 4.1.2: fields have labels, controls names; 2.1.1: each can be reached by key.
  all('input, select, textarea').filter(seen).forEach(function (one) {
    var labels = Array.prototype.map.call(one.labels || [], function (label) { return label.textContent; }).join('');
    if (!labels.trim() && !one.getAttribute('aria-label')) fault('field without a label', one);
  });
  all('a, button, summary, [tabindex]').filter(seen).forEach(function (one) { if (!name(one)) fault('control without a name', one); });
  all('a, button, summary, input, select, textarea, [tabindex], [onclick]').filter(seen).forEach(function (one) {
    one.focus();
    if (doc.activeElement !== one || one.tabIndex !== 0) fault('out of reach', one);
  });
  all('[aria-hidden=true]').forEach(function (one) {
    if (one.querySelector('a[href], button, input, select, [tabindex]')) fault('hidden and reached', one);
  });
  // 2.1.1: what scrolls can be scrolled by key.
  all('body *').filter(seen).forEach(function (one) {
    var style = getComputedStyle(one), scrolls = /auto|scroll/.test(style.overflowX + style.overflowY);
    var over = one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1;
    if (scrolls && over && one.tabIndex !== 0 && !one.querySelector('a[href], button, input, [tabindex]')) fault('scrolls by mouse alone', one);
  });
  // 1.4.4: nothing keeps a reader from enlarging it.
  if (/user-scalable=no|maximum-scale/.test((doc.querySelector('meta[name=viewport]') || {}).content)) fault('zoom', 'refused');

  // 1.4.3: text on its ground.
  function colours(text) {
    return (text.match(/rgba?\([^)]*\)|color\(srgb [^)]*\)/g) || []).map(function (one) {
      var n = one.replace('srgb', '').match(/[\d.]+(e-?\d+)?/g).map(Number), unit = one[0] === 'c' ? 1 : 255;
      return [n[0] / unit, n[1] / unit, n[2] / unit, n.length > 3 ? n[3] : 1];
    });
  }
  function over(top, below, opacity) {
    var a = top[3] * opacity;
    return [0, 1, 2].map(function (k) { return top[k] * a + below[k] * (1 - a); }).concat(1);
  }
  function light(c) {
    var l = c.slice(0, 3).map(function (v) { return v <= 0.04045 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4); });
    return 0.2126 * l[0] + 0.7152 * l[1] + 0.0722 * l[2];
  }
  function ratio(a, b) { var x = light(a), y = light(b); return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05); }
  // The grounds that an element may have: a pattern gives one for each of its colours.
  function grounds(one) {
    if (!one) return [[1, 1, 1, 1]];
    var style = getComputedStyle(one), own = colours(style.backgroundColor)[0] || [0, 0, 0, 0];
    var below = grounds(one.parentElement).map(function (ground) { return over(own, ground, 1); });
    var pattern = style.backgroundImage === 'none' ? [] : colours(style.backgroundImage);
    return pattern.reduce(function (found, colour) { return found.concat(below.map(function (g) { return over(colour, g, 1); })); }, below);
  }
  // What is drawn below a text of a picture.
  function drawn(text) {
    var box = text.getBBox(), svg = text.ownerSVGElement, at = svg.createSVGPoint();
    at.x = box.x + box.width / 2; at.y = box.y + box.height / 2;
    return Array.prototype.reduce.call(svg.querySelectorAll('*'), function (found, one) {
      if (!one.isPointInFill || !(one.compareDocumentPosition(text) & 4)) return found;
      var style = getComputedStyle(one), fill = colours(style.fill)[0];
      if (!fill || !one.isPointInFill(at)) return found;
      return found.map(function (g) { return over(fill, g, style.opacity * style.fillOpacity); });
    }, grounds(svg.parentElement));
  }
  function faint(one) { return one ? getComputedStyle(one).opacity * faint(one.parentElement) : 1; }
  var walker = doc.createTreeWalker(doc.body, NodeFilter.SHOW_TEXT), node;
  while ((node = walker.nextNode())) {
    var one = node.parentElement, style = getComputedStyle(one), isDrawn = one.localName === 'text';
    if (!node.data.trim() || !seen(one) || /^(script|style|title|noscript)$/.test(one.localName) || one.className === 'skip') continue;
    var size = parseFloat(style.fontSize), needed = size >= 24 || (size >= 18.66 && style.fontWeight >= 700) ? 3 : 4.5;
    var ink = colours(isDrawn ? style.fill : style.color)[0];
    var found = (isDrawn ? drawn(one) : grounds(one)).map(function (g) { return ratio(over(ink, g, faint(one)), g); });
    var least = Math.min.apply(null, found);
    if (least < needed) fault('contrast ' + least.toFixed(2), one);
  }
  return faults.filter(function (one, at) { return faults.indexOf(one) === at; });
})
