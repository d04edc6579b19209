// The form of the sign-in page works without scripts; this one reports that the page is complete.

document.documentElement.dataset.ready = "true";
