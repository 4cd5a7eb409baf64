/// The markup around pages. Names with a dot are looked up in the innermost context alone; sections of one line, because a
/// partial on a line of its own would be indented.
enum FrameTemplates {
    static let all: [String: String] = [
        "page": page, "bare": bare, "head": head, "bar": bar, "clock": clock, "menu": menu, "navigation": navigation,
        "tabs": tabs, "icon": icon, "switches": switches,
    ]

    private static let page = """
        <!doctype html>
        <html lang="{{.language}}">{{>head}}
        <body data-copied="{{.words.copied}}" data-path="{{.root}}">
        <a class="skip" href="#content">{{.words.skip}}</a>
        {{>bar}}{{>navigation}}
        <main id="content" tabindex="-1">
        {{#.hasTrail}}<nav class="trail" aria-label="{{.words.trail}}"><ol>{{#.trail}}<li><a href="{{.path}}">\
        {{.text}}{{>pieces}}</a></li>{{/.trail}}</ol></nav>{{/.hasTrail}}
        <div class="title"><h1>{{.title}}{{>pieces}}</h1>{{#.hasActions}}<div class="actions">{{#.actions}}{{>*.template}}\
        {{/.actions}}</div>{{/.hasActions}}</div>
        {{#.message}}<div class="notice good" role="status"><p>{{>text}}</p></div>{{/.message}}
        {{#.blocks}}{{>*.template}}{{/.blocks}}
        </main>
        {{>tabs}}</body></html>

        """

    /// Signing in and errors outside an environment.
    private static let bare = """
        <!doctype html>
        <html lang="{{.language}}">{{>head}}
        <body class="bare" data-copied="{{.words.copied}}">
        <main id="content"><p class="brand">{{#.brandIcon}}{{>icon}}{{/.brandIcon}}Perennial</p>
        <h1>{{.title}}</h1>{{#.blocks}}{{>*.template}}{{/.blocks}}</main></body></html>

        """

    private static let head = """
        <head><meta charset="utf-8"><title>{{.documentTitle}}</title>\
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">\
        <meta name="color-scheme" content="light dark"><meta name="referrer" content="same-origin">\
        <meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)">\
        <meta name="theme-color" content="#101216" media="(prefers-color-scheme: dark)">\
        <link rel="stylesheet" href="{{.assets.style}}"><link rel="manifest" href="{{.assets.manifest}}">\
        <link rel="icon" type="image/svg+xml" href="{{.assets.icon}}">\
        <link rel="apple-touch-icon" href="{{.assets.image}}"><script src="{{.assets.script}}" defer></script></head>
        """

    private static let bar = """
        <header class="bar"><a class="brand" href="{{.overviewPath}}" aria-label="Perennial">{{#.brandIcon}}{{>icon}}\
        {{/.brandIcon}}<span>Perennial</span></a>\
        {{#.appMenu}}{{>menu}}{{/.appMenu}}<div class="when">{{#.environmentMenu}}{{>menu}}{{/.environmentMenu}}\
        {{>clock}}</div>\
        <form class="search" role="search" action="{{.searchPath}}">{{#.searchIcon}}{{>icon}}{{/.searchIcon}}\
        <input type="search" name="query" aria-label="{{.words.search}}" placeholder="{{.words.searchHint}}" \
        aria-keyshortcuts="Meta+K Control+K" autocomplete="off" spellcheck="false" maxlength="200"><kbd aria-hidden="true">⌘K</kbd>\
        </form>\
        <details class="menu user" name="menu"><summary>{{.visitorName}}</summary>{{>switches}}</details></header>
        """

    /// The environment's time, with the form that advances it.
    private static let clock = """
        <div class="clock"><time datetime="{{.clock.iso}}" title="{{.clock.exact}}">{{.clock.minute}}</time> \
        <span class="tag">{{.clock.kind}}</span>{{#.clock.isAdvanced}}<details class="menu advance" name="menu">\
        <summary><span class="word">{{.words.advance}}</span></summary><form class="sheet" method="post" action="{{.clock.path}}">\
        {{#.formToken}}{{>token}}{{/.formToken}}<label for="advance-by">{{.words.advanceBy}}\
        </label>\
        <select id="advance-by" name="by">{{#.clock.spans}}<option value="{{.value}}">{{.text}}</option>\
        {{/.clock.spans}}</select>\
        <button class="button prominent">{{.words.advance}}</button></form></details>{{/.clock.isAdvanced}}</div>
        """

    /// A switch: the current choice, and links to the others.
    private static let menu = """
        <details class="menu {{.kind}}" name="menu"><summary><span class="hidden">{{.label}}: </span>\
        <span class="current">{{.current}}</span></summary><ul class="sheet">{{#.items}}<li><a href="{{.path}}"\
        {{#.isCurrent}} aria-current="true"{{/.isCurrent}}>{{.text}}{{#.note}} <span class="note">{{.}}</span>\
        {{/.note}}</a></li>{{/.items}}</ul></details>
        """

    private static let switches = """
        <div class="sheet"><p class="note">{{.visitorName}}</p><form method="post" action="{{.languagePath}}">\
        {{#.formToken}}{{>token}}{{/.formToken}}\
        <fieldset><legend>{{.words.language}}</legend>{{#.languages}}<button name="language" value="{{.value}}"\
         lang="{{.value}}"\
        {{#.isCurrent}} aria-current="true"{{/.isCurrent}}>{{.text}}</button>{{/.languages}}</fieldset></form>\
        <form method="post" action="{{.signOutPath}}">{{#.formToken}}{{>token}}{{/.formToken}}\
        <button>{{.words.signOut}}</button>\
        <button formaction="{{.signOutEverywherePath}}">{{.words.signOutEverywhere}}</button></form></div>
        """

    private static let navigation = """
        <nav class="side" aria-label="{{.words.console}}"><ul>{{#.navigation}}<li><a href="{{.path}}"\
        {{#.isCurrent}} aria-current="page"{{/.isCurrent}}>{{>icon}}{{.text}}</a></li>{{/.navigation}}</ul></nav>
        """

    /// The navigation of phones.
    private static let tabs = """
        <nav class="tabs" aria-label="{{.words.console}}">{{#.tabs}}<a href="{{.path}}"\
        {{#.isCurrent}} aria-current="page"{{/.isCurrent}}>{{>icon}}{{.text}}</a>{{/.tabs}}\
        <details class="menu rest" name="menu"><summary{{#.isElsewhere}} class="elsewhere"{{/.isElsewhere}}>\
        {{#.moreIcon}}{{>icon}}{{/.moreIcon}}{{.words.more}}</summary>\
        <div class="sheet"><form role="search" action="{{.searchPath}}"><input type="search" name="query"\
         aria-label="{{.words.search}}" placeholder="{{.words.searchHint}}" autocomplete="off"></form>\
        <ul>{{#.others}}<li><a href="{{.path}}"{{#.isCurrent}} aria-current="page"{{/.isCurrent}}>{{>icon}}{{.text}}\
        </a></li>{{/.others}}</ul>{{>switches}}</div></details></nav>

        """

    private static let icon = """
        <svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><path d="{{.icon}}"/></svg>
        """
}
