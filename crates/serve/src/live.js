(function () {
  'use strict';
  // The server writes the part that changes; this puts it in place. A broken stream is said, and asked for again.
  var place = document.querySelector('[data-events]'), lost = document.createElement('p');
  lost.className = 'note lost'; lost.hidden = true; lost.setAttribute('role', 'status');
  lost.textContent = place.dataset.lost;
  place.parentNode.insertBefore(lost, place);
  var events = new EventSource(place.dataset.events);
  events.onmessage = function (event) { lost.hidden = true; place.innerHTML = event.data; };
  events.onerror = function () { lost.hidden = false; };
})();
