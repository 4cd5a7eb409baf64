import Perennial
import PerennialStore

/// A visitor's request for a page: what its chapter makes the page from.
struct PageRequest: Sendable {
    let services: ConsoleServices
    /// The store of the environment that the path names.
    let store: Store
    /// All apps that the visitor may see, by name: for the frame's switch.
    let apps: [ConsoleApp]
    /// The app that the path names; `nil` where it names none: `-`.
    let app: ConsoleApp?
    let visitor: Visitor
    /// The environment's time.
    let now: Instant
    /// The last value of each parameter of the query.
    let query: [String: String]
    /// The parameters of the route's path, without percent-encoding.
    let parameters: [String: String]

    var language: Language { visitor.language }
    var environment: StoreEnvironment { store.environment }

    /// Returns the path of a page of the same environment and app: `path("products/film.roll")`.
    ///
    /// - Parameter query: Values are encoded; empty ones are left out.
    func path(_ path: String, _ query: KeyValuePairs<String, String> = [:]) -> String {
        ConsolePath.page(path, query, environment: environment.name, app: app?.bundleID.rawValue)
    }

    /// Returns a parameter of the route's path; empty if the route has none of that name.
    func parameter(_ name: String) -> String { parameters[name] ?? "" }

    /// Returns the app that the path names.
    ///
    /// - Throws: ``ConsoleError`` `.appNeeded` where it names none; the frame answers with the list of apps.
    func bundleID() throws -> App.BundleID {
        guard let app else { throw ConsoleError.appNeeded }
        return app.bundleID
    }

    func allows(_ permission: Permission) -> Bool { visitor.permissions.contains(permission) }

    /// Checks that a visitor who sees some apps only may see the account that the path names: it uses one of them.
    ///
    /// - Throws: ``ConsoleError`` `.notFound`, as for an account that isn't there.
    func expectVisibleAccount() async throws {
        guard let name = parameters["account"], try await !maySee(account: name) else { return }
        throw ConsoleError.notFound(.data(name))
    }

    /// Returns true if the visitor sees all apps, or one that the account uses.
    func maySee(account name: String) async throws -> Bool {
        guard !visitor.seesAllApps else { return true }
        return try await store.accounts.isUser(name, ofAnyOf: apps.map(\.appleID))
    }
}

/// An app in the frame's switch.
struct ConsoleApp: Sendable, Hashable {
    var bundleID: App.BundleID
    var appleID: Int64
    var name: String
}

/// The sender of a request, signed in.
struct Visitor: Sendable {
    /// The user's name in the team; `nil` for the operator who came by a link of the server's own machine.
    var userName: String?
    var permissions: Set<Permission>
    var language: Language
    /// The token that each form sends.
    var formToken: String
    /// False for a user of the team who sees some apps only.
    var seesAllApps = true

    /// The name in the journal, the audit log and the frame.
    var displayName: String { userName ?? "operator" }
}

/// A form that was sent, with the page that it stands on.
struct FormRequest: Sendable {
    let page: PageRequest
    let values: FormValues
}

/// The answer to a form.
enum FormAnswer: Sendable {
    /// 303 to a page of the console, which shows the notice once.
    case redirect(String, Text? = nil)
    /// The same, with the action in words for the audit log.
    case audited(String, Text, action: String)
    /// The page again, with errors at its fields and the status 422; or a page that answers the form and changes nothing.
    case page(Page)
    /// A page with the result of a question that changes nothing: with its own status, and not in the audit log.
    case shown(Page)
    case file(ConsoleFile)
}

/// A file to download.
struct ConsoleFile: Sendable {
    var name: String
    var contentType: String
    var bytes: [UInt8]
}

/// An error of the console itself. Errors of use cases are shown with their own texts.
enum ConsoleError: Error, Sendable {
    /// The page belongs to an app, and the path names none.
    case appNeeded
    case notFound(Text)
    case forbidden(Permission)
    /// The page is of all apps, and the visitor sees some only.
    case ofAllApps
    /// A form of another site, or without its session's token.
    case forged
    /// A body longer than its route takes, in bytes.
    case tooLarge(maximum: Int)
    /// The request can't be read: its form, its token, a parameter.
    case badRequest(Text)
}
