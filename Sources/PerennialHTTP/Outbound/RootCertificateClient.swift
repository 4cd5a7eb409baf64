import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import OutboundHTTP
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
    private let timeout: TimeAmount

    /// - Parameters:
    ///   - client: Made with ``VerifyReceiptClient/clientConfiguration``, and shut down by its maker.
    ///   - baseURL: The store's, below which verifyReceipt is, too.
    ///   - timeout: For the request and its whole answer.
    package init(
        client: HTTPClient, baseURL: String, timeout: TimeAmount = VerifyReceiptClient.defaultTimeout
    ) {
        self.client = client
        self.timeout = timeout
        url = (baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL) + "/certificates/root.cer"
    }

    /// - Returns: DER.
    package func root() async throws -> [UInt8] {
        try await client.exchange(HTTPClientRequest(url: url), deadline: .now() + timeout) { [url] response in
            guard response.status == .ok else {
                throw Refused(description: "\(url) answered HTTP \(response.status.code)")
            }
            return [UInt8](try await response.body.collect(upTo: Self.maximumSize).readableBytesView)
        }
    }
}
