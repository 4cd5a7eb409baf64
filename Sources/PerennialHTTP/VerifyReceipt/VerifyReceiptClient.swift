import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import OutboundHTTP
import PerennialDelivery

/// The way to a store's verifyReceipt over HTTP.
package struct VerifyReceiptClient: VerifyReceiptEndpoint {
    /// The time for one request and its whole answer, after which the store counts as one that doesn't answer.
    package static let defaultTimeout = TimeAmount.seconds(10)

    /// The configuration of a client for verifyReceipt. It follows no redirect, since a store doesn't move a POST, and
    /// fails at once if it can't connect, since the caller has its own retry schedule.
    package static var clientConfiguration: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: .outbound, redirectConfiguration: .disallow, timeout: .init(connect: .seconds(5)))
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }

    private let client: HTTPClient
    private let timeout: TimeAmount

    /// - Parameter client: Made with ``clientConfiguration``, and shut down by its maker.
    package init(client: HTTPClient, timeout: TimeAmount = VerifyReceiptClient.defaultTimeout) {
        self.client = client
        self.timeout = timeout
    }

    package func post(_ body: [UInt8], to url: String) async throws -> VerifyReceiptAnswer {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.headers.add(name: "Accept", value: "application/json")
        request.body = .bytes(ByteBuffer(bytes: body))
        return try await client.exchange(request, deadline: .now() + timeout) { response in
            let answer = try await response.body.collect(upTo: VerifyReceiptAnswer.maximumBodySize)
            return VerifyReceiptAnswer(
                httpStatus: Int(response.status.code), body: [UInt8](answer.readableBytesView),
                retryAfter: response.headers.first(name: "Retry-After").flatMap { Int($0) })
        }
    }
}
