(function () {
  'use strict';
  // The server writes the part that changes; this puts it in place. A broken stream is said, and asked for again; so is a store
  // that the server cannot read.
  var place = document.querySelector('[data-events]'), lost = document.createElement('p');
  lost.className = 'note lost'; lost.hidden = true; lost.setAttribute('role', 'status');
  place.parentNode.insertBefore(lost, place);
  var events = new EventSource(place.dataset.events);
  events.onmessage = function (event) { lost.hidden = true; place.innerHTML = event.data; };
  function old(why) { lost.textContent = why; lost.hidden = false; }
  events.addEventListener('stale', function (event) { old(event.data); });
  events.onerror = function () { old(place.dataset.lost); };
})();
