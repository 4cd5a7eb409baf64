import ArgumentParser
import Foundation

/// Options from which a command learns which store it speaks to.
protocol EndpointOptions: ParsableArguments {
    var server: ServerOptions { get }

    /// - Throws: ``StoreClientError`` `.notReady`.
    func endpoint() throws -> StoreEndpoint
}

/// Which server, for commands that anybody may run.
struct ServerOptions: EndpointOptions {
    @Option(
        help: ArgumentHelp(
            "The store's URL (PERENNIAL_URL; \(StoreEndpoint.defaultURL) where nothing says it).", valueName: "url"))
    var url: String?

    @Option(
        name: .customLong("ready-file"),
        help: ArgumentHelp("The ready file of perennial serve, which says URL, token and secrets.", valueName: "file"),
        completion: .file())
    var readyFile: String?

    @Flag(help: "Print the store's JSON in place of words.")
    var json = false

    var server: ServerOptions { self }

    func validate() throws {
        if let url { return try StoreEndpoint.check(url: url, "--url") }
        let variable = ProcessInfo.processInfo.environment[StoreEndpoint.urlVariable]
        if readyFile == nil, let variable { try StoreEndpoint.check(url: variable, StoreEndpoint.urlVariable) }
    }

    func endpoint() throws -> StoreEndpoint { try endpoint(token: nil) }

    func endpoint(token: String?) throws -> StoreEndpoint {
        StoreEndpoint(
            url: url, token: token, ready: try ready(), variables: ProcessInfo.processInfo.environment)
    }

    /// What the ready file says, where one is named.
    func ready() throws -> ReadyStore? { try readyFile.map(ReadyStore.init(file:)) }
}

/// Which server, for commands that need the control token.
struct OperatorOptions: EndpointOptions {
    @OptionGroup var server: ServerOptions

    @Option(help: ControlToken.help)
    var token: String?

    func validate() throws { try ControlToken.check(token, server) }

    func endpoint() throws -> StoreEndpoint { try server.endpoint(token: token) }
}

/// Which environment of which server.
///
/// The token is written out a second time: each group inside a group makes every command four times slower to examine,
/// which ArgumentParser does at each start of a debug build.
struct StoreOptions: EndpointOptions {
    @OptionGroup var server: ServerOptions

    @Option(help: ControlToken.help)
    var token: String?

    @Option(
        help: ArgumentHelp("Sandbox, Production or the name of a further environment.", valueName: "name"))
    var environment = EnvironmentName.sandbox

    func validate() throws { try ControlToken.check(token, server) }

    func endpoint() throws -> StoreEndpoint {
        var endpoint = try server.endpoint(token: token)
        endpoint.environment = environment
        return endpoint
    }
}

/// What `--token` says.
private enum ControlToken {
    static let help = ArgumentHelp(
        "The control token of the store's banner (PERENNIAL_TOKEN keeps it from other users' eyes).",
        valueName: "token")

    static func check(_ token: String?, _ server: ServerOptions) throws {
        if let token { return try StoreEndpoint.check(token: token, "--token") }
        guard server.readyFile == nil else { return }
        guard let variable = ProcessInfo.processInfo.environment[StoreEndpoint.tokenVariable] else {
            throw ValidationError(
                "No control token: say --token, --ready-file, or set \(StoreEndpoint.tokenVariable).")
        }
        try StoreEndpoint.check(token: variable, StoreEndpoint.tokenVariable)
    }
}
