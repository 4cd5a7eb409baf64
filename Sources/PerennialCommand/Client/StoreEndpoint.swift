import ArgumentParser
import BaseEncoding
import Foundation

/// The address of a store, the environment that a command is about, and the caller's token.
struct StoreEndpoint: Hashable, Sendable {
    /// The address of `perennial serve` without options.
    static let defaultURL = "http://127.0.0.1:8080"
    static let urlVariable = "PERENNIAL_URL"
    static let tokenVariable = "PERENNIAL_TOKEN"
    static let readyFileVariable = "PERENNIAL_READY_FILE"

    /// The base URL of Production, without a slash at its end.
    let url: String
    /// The control token; `nil` for requests that need none.
    let token: String?
    /// The path of the store's root certificate in DER, which is trusted over TLS; `nil` if it isn't known.
    var rootCertificate: String?
    var environment = EnvironmentName.sandbox

    /// The environment's base URL.
    var base: String { url + environment.path }

    init(url: String, token: String?, rootCertificate: String? = nil) {
        self.url = url.hasSuffix("/") ? String(url.dropLast()) : url
        self.token = token
        self.rootCertificate = rootCertificate
    }

    /// - Throws: `ValidationError` if a text is no URL of HTTP.
    static func check(url: String, _ name: String) throws {
        let parsed = URL(string: url)
        guard let scheme = parsed?.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = parsed?.host, !host.isEmpty
        else { throw ValidationError("\(name) is a URL such as \(defaultURL).") }
    }

    /// - Throws: `ValidationError` if a token can't stand in a header of HTTP.
    static func check(token: String, _ name: String) throws {
        guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw ValidationError("\(name) is the token of the store's banner, without spaces.")
        }
    }
}

/// The places that name a store, in the order in which they count.
struct StoreSearch {
    /// `--url` and `--token`.
    var url: String?
    var token: String?
    /// The file of `--ready-file`.
    var readyFile: String?
    var variables: [String: String]
    /// The stores that run on this machine; asked only if nothing else names one.
    var running: () -> [ReadyStore]

    /// Finds the store.
    ///
    /// - Parameter needsToken: False for requests without authentication.
    /// - Throws: ``StoreClientError`` `.notReady`, `.noStore`, `.ambiguous`; `ValidationError` if no token is known.
    func endpoint(needsToken: Bool) throws -> StoreEndpoint {
        let endpoint = try endpoint()
        guard needsToken, endpoint.token == nil else { return endpoint }
        throw ValidationError(
            "No control token for \(endpoint.url): say --token or --ready-file, or set \(StoreEndpoint.tokenVariable).")
    }

    private func endpoint() throws -> StoreEndpoint {
        let token = token ?? variables[StoreEndpoint.tokenVariable]
        if let readyFile {
            let ready = try ReadyStore(file: readyFile)
            return ready.endpoint(url: url, token: self.token)
        }
        if let named = url ?? variables[StoreEndpoint.urlVariable] {
            // A store that is known by another way has the token and the root certificate.
            let endpoint = StoreEndpoint(url: named, token: token)
            let known = try knownByVariable().map { [$0] } ?? running()
            return known.first { $0.urls.contains(endpoint.url) }?.endpoint(url: named, token: token) ?? endpoint
        }
        if let ready = try knownByVariable() { return ready.endpoint(url: nil, token: token) }
        return try found(token: token)
    }

    private func knownByVariable() throws -> ReadyStore? {
        try variables[StoreEndpoint.readyFileVariable].map(ReadyStore.init(file:))
    }

    private func found(token: String?) throws -> StoreEndpoint {
        let stores = running()
        guard let store = stores.first else {
            if token != nil { return StoreEndpoint(url: StoreEndpoint.defaultURL, token: token) }
            throw StoreClientError(
                .noStore, StoreEndpoint.defaultURL,
                "no store of yours runs on this machine: start one with perennial serve, or name one with --url and "
                    + "--token, or with --ready-file")
        }
        guard stores.count == 1 else {
            let list = stores.map(\.summary).sorted().joined(separator: ", ")
            throw StoreClientError(.ambiguous, "--url", "several stores run, name one with --url: \(list)")
        }
        return store.endpoint(url: nil, token: token)
    }

    /// The information of the store at an endpoint; `nil` if neither a file nor a running store has it.
    func ready(for endpoint: StoreEndpoint) throws -> ReadyStore? {
        if let readyFile { return try ReadyStore(file: readyFile) }
        let known = try knownByVariable().map { [$0] } ?? running()
        return known.first { $0.urls.contains(endpoint.url) }
    }
}

/// The name of one of a store's environments.
struct EnvironmentName: Hashable, Sendable, ExpressibleByArgument {
    static let production = Self("Production")
    static let sandbox = Self("Sandbox")
    /// The environment of `perennial seed`.
    static let demo = Self("Demo")
    static let defaultCompletionKind = CompletionKind.list([production.name, sandbox.name])

    let name: String

    private init(_ name: String) { self.name = name }

    init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        self.init(argument)
    }

    var defaultValueDescription: String { name }

    /// The path of the environment's base URL below the store's.
    var path: String {
        switch self {
        case .production: ""
        case .sandbox: "/sandbox"
        default: "/environments/\(name.percentEncoded)"
        }
    }
}

/// The contents of a ready file that a client of the store needs.
struct ReadyStore: Decodable {
    struct App: Decodable {
        var bundleId: String
        var appAppleId: Int64?
        var sharedSecret: String
    }

    struct TLS: Decodable {
        var url: String
    }

    var url: String
    var tls: TLS?
    var controlToken: String
    /// A path, below the data folder's `keys`.
    var rootCertificate: String?
    var receiptRootCertificate: String?
    var apps: [App]

    /// - Throws: ``StoreClientError`` `.notReady`.
    init(file: String) throws {
        guard let bytes = FileManager.default.contents(atPath: file) else {
            throw StoreClientError(
                .notReady, file, "there is no such file: the store of perennial serve --ready-file FILE is not ready")
        }
        do {
            self = try JSONDecoder().decode(Self.self, from: bytes)
        } catch {
            throw StoreClientError(.notReady, file, "this is not what perennial serve writes with --ready-file")
        }
    }

    /// Returns the path of the ready file in `PERENNIAL_READY_FILE`, or that of the state file of the store that runs here.
    ///
    /// - Throws: ``StoreClientError`` `.noStore`, `.ambiguous`.
    static func file(variables: [String: String] = ProcessInfo.processInfo.environment) throws -> String {
        if let named = variables[StoreEndpoint.readyFileVariable] { return named }
        let files = RuntimeFolder(variables: variables).stateFiles()
        guard files.count <= 1 else {
            let list = files.compactMap { try? ReadyStore(file: $0).summary }.sorted().joined(separator: ", ")
            throw StoreClientError(
                .ambiguous, "--ready-file", "several stores run, name one with --ready-file: \(list)")
        }
        guard let file = files.first else {
            throw StoreClientError(
                .noStore, "--ready-file",
                "no store of yours runs on this machine: start one with perennial serve, or name one with --ready-file")
        }
        return file
    }

    /// The base URLs that lead to the store.
    var urls: [String] { [url] + [tls?.url].compactMap { $0 } }

    /// The store as an error lists it.
    var summary: String {
        let names = apps.map(\.bundleId).sorted().joined(separator: " ")
        return "\(url) (\(names.isEmpty ? "no apps" : names))"
    }

    /// - Parameters:
    ///   - url: Another base URL of the store.
    ///   - token: A token that takes the place of the file's.
    func endpoint(url: String?, token: String?) -> StoreEndpoint {
        StoreEndpoint(url: url ?? self.url, token: token ?? controlToken, rootCertificate: rootCertificate)
    }
}

extension String {
    /// The text as a part of a URL's path or query: all but the unreserved characters of RFC 3986 are encoded.
    var percentEncoded: String { PercentEncoding.encode(self) }
}
