import ArgumentParser
import Foundation

/// The options that tell a command which store it speaks to.
protocol EndpointOptions: ParsableArguments {
    var server: ServerOptions { get }

    /// - Throws: ``StoreClientError`` `.notReady`, `.noStore`, `.ambiguous`; `ValidationError` if no token is known.
    func endpoint() throws -> StoreEndpoint
}

/// The server, for commands that need no token.
struct ServerOptions: EndpointOptions {
    @Option(
        help: ArgumentHelp("The store's URL (or PERENNIAL_URL); the store that runs here if omitted.", valueName: "url")
    )
    var url: String?

    @Option(
        name: .customLong("ready-file"),
        help: ArgumentHelp(
            "The ready file of perennial serve, with URL, token and secrets (or PERENNIAL_READY_FILE).",
            valueName: "file"),
        completion: .file())
    var readyFile: String?

    @Flag(help: "Print the store's JSON instead of text.")
    var json = false

    @Flag(
        inversion: .prefixedNo,
        help: "Add the contents of signed data and receipts: the default with --json, and for text that shows them.")
    var decoded: Bool?

    var server: ServerOptions { self }

    func validate() throws {
        if let url { return try StoreEndpoint.check(url: url, "--url") }
        let variable = ProcessInfo.processInfo.environment[StoreEndpoint.urlVariable]
        if readyFile == nil, let variable { try StoreEndpoint.check(url: variable, StoreEndpoint.urlVariable) }
    }

    func endpoint() throws -> StoreEndpoint { try search(token: nil).endpoint(needsToken: false) }

    func endpoint(token: String?) throws -> StoreEndpoint { try search(token: token).endpoint(needsToken: true) }

    /// The information of the store's ready file; `nil` for a store that is known by its URL only.
    func ready() throws -> ReadyStore? {
        let search = search(token: nil)
        return try search.ready(for: try search.endpoint(needsToken: false))
    }

    private func search(token: String?) -> StoreSearch {
        StoreSearch(
            url: url, token: token, readyFile: readyFile, variables: ProcessInfo.processInfo.environment,
            running: { RuntimeFolder().runningStores() })
    }
}

/// The server, for commands that need the control token.
struct OperatorOptions: EndpointOptions {
    @OptionGroup var server: ServerOptions

    @Option(help: ControlToken.help)
    var token: String?

    func validate() throws { try ControlToken.check(token) }

    func endpoint() throws -> StoreEndpoint { try server.endpoint(token: token) }
}

/// The server and one of its environments.
///
/// The token is declared a second time: each group inside a group makes every command four times slower to examine,
/// which ArgumentParser does at each start of a debug build.
struct StoreOptions: EndpointOptions {
    @OptionGroup var server: ServerOptions

    @Option(help: ControlToken.help)
    var token: String?

    @Option(
        help: ArgumentHelp("Sandbox, Production or the name of another environment.", valueName: "name"))
    var environment = EnvironmentName.sandbox

    func validate() throws { try ControlToken.check(token) }

    func endpoint() throws -> StoreEndpoint {
        var endpoint = try server.endpoint(token: token)
        endpoint.environment = environment
        return endpoint
    }
}

/// The option `--token`.
private enum ControlToken {
    static let help = ArgumentHelp(
        "The control token of the store's banner (PERENNIAL_TOKEN hides it from other users).", valueName: "token")

    static func check(_ token: String?) throws {
        if let token { return try StoreEndpoint.check(token: token, "--token") }
        guard let variable = ProcessInfo.processInfo.environment[StoreEndpoint.tokenVariable] else { return }
        try StoreEndpoint.check(token: variable, StoreEndpoint.tokenVariable)
    }
}

/// The app that a command is about.
struct AppOption: ParsableArguments {
    static let help = ArgumentHelp(
        "The app's bundle ID; may be omitted if the store has one app.", valueName: "bundle-id")

    @Option(name: .customLong("app"), help: Self.help)
    var bundleID: String?

    /// Returns the path of the app in control/v1, or that of something below it.
    ///
    /// - Throws: See ``StoreClient/app(_:)``.
    func path(_ client: StoreClient, _ rest: String = "") async throws -> String {
        "control/v1/apps/\(try await client.app(bundleID).percentEncoded)\(rest)"
    }
}

/// The customer and the app that a command is about.
///
/// The app is declared a second time, for the reason given at ``StoreOptions``.
struct CustomerOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The customer's account.", valueName: "name"))
    var account: String

    @Option(name: .customLong("app"), help: AppOption.help)
    var bundleID: String?
}

/// The option that answers a question in advance.
struct ConfirmationOption: ParsableArguments {
    @Flag(help: "Don't ask for confirmation on a terminal.")
    var yes = false

    /// Asks the person at the terminal; passes without a terminal, as in scripts.
    ///
    /// - Throws: ``CommandError`` if the answer isn't yes.
    func ask(_ question: String) throws {
        guard !yes, Terminal.isInteractive else { return }
        guard Terminal.confirms(question) else { throw CommandError("nothing was changed") }
    }
}
