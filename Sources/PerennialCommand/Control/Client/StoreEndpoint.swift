import ArgumentParser
import Foundation

/// Where a store is, which of its environments is meant, and who asks.
struct StoreEndpoint: Hashable, Sendable {
    /// Where `perennial serve` listens unless it is told otherwise.
    static let defaultURL = "http://127.0.0.1:8080"
    static let urlVariable = "PERENNIAL_URL"
    static let tokenVariable = "PERENNIAL_TOKEN"

    /// Of Production, without a slash at its end.
    let url: String
    /// The control token; `nil` where only questions are asked that need none.
    let token: String?
    var environment = EnvironmentName.sandbox

    /// The environment's base URL.
    var base: String { url + environment.path }

    init(url: String, token: String?) {
        self.url = url.hasSuffix("/") ? String(url.dropLast()) : url
        self.token = token
    }

    /// What was said on the command line comes first, then the ready file, then the variables.
    init(url: String?, token: String?, ready: ReadyStore?, variables: [String: String]) {
        self.init(
            url: url ?? ready?.url ?? variables[Self.urlVariable] ?? Self.defaultURL,
            token: token ?? ready?.controlToken ?? variables[Self.tokenVariable])
    }

    /// - Throws: `ValidationError` for what is no URL of HTTP.
    static func check(url: String, _ name: String) throws {
        let parsed = URL(string: url)
        guard let scheme = parsed?.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = parsed?.host, !host.isEmpty
        else { throw ValidationError("\(name) is a URL such as \(defaultURL).") }
    }

    /// - Throws: `ValidationError` for what can't stand in a header of HTTP.
    static func check(token: String, _ name: String) throws {
        guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw ValidationError("\(name) is the token of the store's banner, without spaces.")
        }
    }
}

/// Which of a store's environments is meant.
struct EnvironmentName: Hashable, Sendable, ExpressibleByArgument {
    static let production = Self("Production")
    static let sandbox = Self("Sandbox")
    static let defaultCompletionKind = CompletionKind.list([production.name, sandbox.name])

    let name: String

    private init(_ name: String) { self.name = name }

    init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        self.init(argument)
    }

    var defaultValueDescription: String { name }

    /// What its base URL has after the store's.
    var path: String {
        switch self {
        case .production: ""
        case .sandbox: "/sandbox"
        default: "/environments/\(name.percentEncoded)"
        }
    }
}

/// What a server's ready file says, as far as a client of it looks.
struct ReadyStore: Decodable {
    struct App: Decodable {
        var bundleId: String
        var appAppleId: Int64?
        var sharedSecret: String
    }

    var url: String
    var controlToken: String
    /// A path, below the data folder's `keys`.
    var rootCertificate: String?
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
}

extension String {
    /// As a part of a URL's path or query: all but the unreserved characters of RFC 3986 encoded.
    var percentEncoded: String {
        utf8.map { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: String(UnicodeScalar(byte))
            default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
    }
}
