import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import PerennialDelivery

/// Asks a Perennial store for its root certificate.
package struct RootCertificateClient: Sendable {
    /// A limit of ours, in bytes: a root is about 500 of them.
    private static let maximumSize = 16 << 10

    private struct Refused: Error, CustomStringConvertible {
        let description: String
    }

    private let client: HTTPClient
    private let url: String

    /// - Parameters:
    ///   - client: Made with ``VerifyReceiptClient/clientConfiguration``, and shut down by whoever made it.
    ///   - baseURL: The store's, which verifyReceipt is below, too.
    package init(client: HTTPClient, baseURL: String) {
        self.client = client
        url = (baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL) + "/certificates/root.cer"
    }

    /// - Returns: DER.
    package func root() async throws -> [UInt8] {
        let response = try await client.execute(
            HTTPClientRequest(url: url), timeout: VerifyReceiptClient.defaultTimeout)
        guard response.status == .ok else {
            throw Refused(description: "\(url) answered HTTP \(response.status.code)")
        }
        return [UInt8](try await response.body.collect(upTo: Self.maximumSize).readableBytesView)
    }
}
