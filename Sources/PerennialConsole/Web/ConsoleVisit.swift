import AppStoreFormats
import HTTPTypes
import Hummingbird
import Perennial
import PerennialConnect
import PerennialHTTP
import PerennialStorage
import PerennialStore

/// A request to the console, with what its cookies say: the session, the language.
struct ConsoleVisit: Sendable {
    let request: Request
    let context: BasicConnectionContext
    let cookies: Cookies
    let language: Language
    let address: ClientAddress?
    /// `nil` for a visitor who isn't signed in.
    let session: ConsoleSession?
    /// The keys of the session, or of its cookie.
    let keys: SessionKeys?

    init(_ request: Request, _ context: BasicConnectionContext, _ accounts: ConsoleAccounts) async throws {
        self.request = request
        self.context = context
        cookies = Cookies(request, isSecure: await Self.isSecure(request, context))
        language =
            cookies[.language].flatMap { Language(rawValue: $0) }
            ?? Language(acceptLanguage: request.headers[.acceptLanguage])
        address = context.clientAddress
        let token = cookies[.session]
        session = try await Self.session(token, accounts)
        keys = session == nil ? nil : token.map(SessionKeys.init)
    }

    private static func session(_ token: String?, _ accounts: ConsoleAccounts) async throws -> ConsoleSession? {
        guard let token else { return nil }
        return try await accounts.session(token: token)
    }

    /// A proxy that ends TLS says so. A client that claims it loses only its own session.
    private static func isSecure(_ request: Request, _ context: BasicConnectionContext) async -> Bool {
        if request.headers[.init("X-Forwarded-Proto")!] == "https" { return true }
        return await context.isEncrypted()
    }

    /// The last value of each parameter of the query.
    var query: [String: String] {
        let text = request.uri.query ?? ""
        return ((try? URLEncodedForm.fields(Array(text.utf8))) ?? [:]).compactMapValues(\.last)
    }

    /// A parameter of the path, without percent-encoding.
    func parameter(_ name: String) -> String {
        (context.parameters.get(name) ?? place[name]).map(\.withoutPercentEncoding) ?? ""
    }

    /// The environment and the app of `/console/ENVIRONMENT/APP/…`, also where no route matches the rest.
    private var place: [String: String] {
        let parts = request.uri.path.split(separator: "/").map(String.init)
        guard parts.count > 3 else { return [:] }
        return ["environment": parts[1], "app": parts[2]]
    }

    /// Path and query, to come back to after signing in.
    var target: String { request.uri.path + (request.uri.query.map { "?\($0)" } ?? "") }

    /// Path and query of the page that a form stands on; empty if the browser doesn't say.
    var refererPath: String {
        let referer = request.headers[.referer] ?? ""
        guard let scheme = referer.firstRange(of: "://"),
            let slash = referer[scheme.upperBound...].firstIndex(of: "/")
        else { return "" }
        return String(referer[slash...])
    }

    /// The user's name, or the operator's.
    var actor: String { session.map { $0.user?.username ?? "operator" } ?? "" }

    /// Checks that a form of this session sent the request.
    ///
    /// - Throws: ``ConsoleError`` `.forged`.
    func check(formToken: String) throws {
        guard let keys, SiteCheck.isOwn(request), keys.isFormToken(formToken) else { throw ConsoleError.forged }
    }
}

extension String {
    /// The text without percent-encoding; `+` stands for itself in a path.
    fileprivate var withoutPercentEncoding: String {
        URLEncodedForm.decoded(utf8.flatMap { $0 == UInt8(ascii: "+") ? Array("%2B".utf8) : [$0] })
    }
}
