import BaseEncoding
import Crypto
import Foundation
import Perennial
import PerennialStorage

/// The bearer token of a customer's session or of a grant.
///
/// The text is `SECRET.SCOPE`. The scope leads to the token's environment and app, and is part of the digest, so a token with
/// another scope is another token. The server stores the digest only.
struct BearerToken {
    /// Bytes of randomness.
    static let secretSize = 32
    /// Maximum size in bytes; a limit of ours.
    static let maximumSize = 1024

    let text: String
    /// Environment of a grant; `nil` for a customer's session.
    let environment: StoreEnvironment.Kind?
    let bundleID: App.BundleID

    init(secret: [UInt8], environment: StoreEnvironment.Kind? = nil, bundleID: App.BundleID) {
        let scope = "\(environment?.rawValue ?? "")/\(bundleID)"
        text = Base64.encode(secret, as: .url) + "." + Base64.encode([UInt8](scope.utf8), as: .url)
        self.environment = environment
        self.bundleID = bundleID
    }

    /// Reads a token. Returns `nil` for a malformed one.
    init?(_ text: String) {
        guard text.utf8.count <= Self.maximumSize else { return nil }
        let parts = text.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let scope = Base64.decode(parts[1], as: .url) else { return nil }
        let names = String(decoding: scope, as: UTF8.self).split(
            separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard names.count == 2, !names[1].isEmpty, !scope.contains(0) else { return nil }
        let environment = StoreEnvironment.Kind(rawValue: String(names[0]))
        guard environment != nil || names[0].isEmpty else { return nil }
        self.text = text
        self.environment = environment
        self.bundleID = App.BundleID(rawValue: String(names[1]))
    }

    var digest: [UInt8] { Array(SHA256.hash(data: Data(text.utf8))) }

    /// Scope of a grant; `nil` for a session.
    var scope: DeliveryScope? {
        environment.map { DeliveryScope(environment: $0, bundleID: bundleID) }
    }
}
