"""Pages for fights: what a browser is given, and the modules that show it.

`document` makes the data of a page: the changes of the state with every event, folded here and never in the browser.
`modules/` has the components, plain ES modules that need no build step, and `vendor/` the libraries that they use.
`page` puts both into a single file. A service can serve the same modules and the same data.
"""
