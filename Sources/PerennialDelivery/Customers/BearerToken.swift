import Crypto
import Foundation
import Perennial
import PerennialStorage

/// A secret that stands for a customer's session or for a grant.
///
/// The text is `SECRET.SCOPE`: the scope says where to look, so that keys can lead with environment and app; it is part
/// of what is digested, so a token with another scope is another token. The server keeps the digest only.
struct BearerToken {
    /// Bytes of randomness.
    static let secretSize = 32
    /// A limit of ours on what is read, in bytes.
    static let maximumSize = 1024

    let text: String
    /// `nil` for a customer's session, which belongs to no store.
    let environment: StoreEnvironment.Kind?
    let bundleID: App.BundleID

    init(secret: [UInt8], environment: StoreEnvironment.Kind? = nil, bundleID: App.BundleID) {
        let scope = "\(environment?.rawValue ?? "")/\(bundleID)"
        text = Self.base64URL(secret) + "." + Self.base64URL([UInt8](scope.utf8))
        self.environment = environment
        self.bundleID = bundleID
    }

    /// `nil` for what can't be a token of ours.
    init?(_ text: String) {
        guard text.utf8.count <= Self.maximumSize else { return nil }
        let parts = text.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let scope = Self.bytes(base64URL: parts[1]) else { return nil }
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

    /// Where a grant lies; `nil` for a session.
    var scope: DeliveryScope? {
        environment.map { DeliveryScope(environment: $0, bundleID: bundleID) }
    }

    private static func base64URL(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private static func bytes(base64URL text: Substring) -> [UInt8]? {
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
        return Data(base64Encoded: standard + padding).map { [UInt8]($0) }
    }
}
