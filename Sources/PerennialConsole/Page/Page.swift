/// A page: what a chapter returns, and the frame renders.
struct Page: Sendable {
    var title: Text
    /// The place in the navigation that is marked.
    var place: NavigationItem
    /// Links above the title, from the general to the particular: the list that an item's page came from.
    var trail: [Link] = []
    /// Links and buttons beside the title.
    var actions: [Action] = []
    var blocks: [Block]
    /// 422 for a form with errors.
    var status = 200
    /// Address that the browser opens by itself, without a script; `nil` for a page that stays.
    var refresh: Refresh?

    init(
        _ title: Text, _ place: NavigationItem, trail: [Link] = [], actions: [Action] = [], status: Int = 200,
        _ blocks: [Block]
    ) {
        self.title = title
        self.place = place
        self.trail = trail
        self.actions = actions
        self.status = status
        self.blocks = blocks
    }
}

extension Page {
    /// The next look at a page that is still being made.
    struct Refresh: Sendable {
        var seconds: Int
        var path: String
    }
}

/// The places in the navigation, in its order.
enum NavigationItem: String, CaseIterable, Sendable {
    case overview, live, customers, transactions, products, subscriptions, sales, payments, notifications, inspect
    case testers, keys, team, environments, health
}

/// A link to a page: a path from ``PageRequest/path(_:)``, or a URL elsewhere.
struct Link: Sendable, Hashable {
    var text: Text
    var path: String

    init(_ text: Text, _ path: String) {
        self.text = text
        self.path = path
    }
}

/// A link or a button beside a title or in a row.
enum Action: Sendable {
    /// A link; the prominent one of a page is filled with the accent colour.
    case link(Link, isProminent: Bool = false)
    /// A form of one button that posts to a path.
    case post(Text, path: String, fields: [String: String] = [:], isDangerous: Bool = false, same: SameCommand? = nil)
    /// A file to download.
    case download(Link)
}

/// The command line and the API call that do what a button does.
struct SameCommand: Sendable, Hashable {
    /// The command without the program's name: `refunds create 2000000000000001`.
    var command: String
    /// The call of the control API: `POST`, `control/v1/transactions/ID/refund`, and JSON.
    var call: Call?
    /// Further commands and calls, for a button that does more than one of them.
    var further: [SameCommand] = []

    struct Call: Sendable, Hashable {
        var method: String
        /// The path below the base URL of the page's environment, or below the store's.
        var path: String
        var body: String?
        /// True for a call of the whole store, such as the import of a catalog: its path is below the store's URL.
        var isGlobal: Bool

        init(_ method: String, _ path: String, _ body: String? = nil, isGlobal: Bool = false) {
            self.method = method
            self.path = path
            self.body = body
            self.isGlobal = isGlobal
        }
    }

    init(_ command: String, _ call: Call? = nil) {
        self.command = command
        self.call = call
    }
}
