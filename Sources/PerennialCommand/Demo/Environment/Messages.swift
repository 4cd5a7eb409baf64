import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// verifyReceipt's answer, reduced to the fields that the demo reads.
struct ReceiptAnswer: Decodable, Sendable {
    struct Receipt: Decodable, Sendable {
        var bundle_id: String?
    }

    var status: Int
    var environment: String?
    var receipt: Receipt?

    /// `nil` for what isn't one.
    init?(_ body: ByteBuffer) {
        guard let answer = try? JSONDecoder().decode(Self.self, from: Data(body.readableBytesView)) else { return nil }
        self = answer
    }
}

/// A seller's plain backend: asks verifyReceipt over HTTP, as it would ask Apple's.
struct Backend: Sendable {
    /// The environment's base URL.
    let store: String

    private struct Question: Encodable {
        var receipt: Data
        var password: String?

        enum CodingKeys: String, CodingKey {
            case receipt = "receipt-data"
            case password
        }
    }

    func verify(_ receipt: Data, password: String?) async throws -> ReceiptAnswer {
        let body = try await HTTP.post(Question(receipt: receipt, password: password), to: store + "/verifyReceipt")
            .body
        return try required("an answer of verifyReceipt", ReceiptAnswer(body))
    }
}

/// control/v1: what only tests and operators may do.
struct Operator: Sendable {
    /// The environment's base URL.
    let store: String
    let token: String

    private struct Account: Encodable {
        var account: String
        var storefront: String
        var paymentMethod: String
    }

    /// Makes or changes a customer's account.
    func account(of person: Person, hasValidCard: Bool = true) async throws {
        let account = Account(
            account: person.account, storefront: person.storefront, paymentMethod: hasValidCard ? "valid" : "declined")
        let status = try await HTTP.post(account, to: store + "/control/v1/accounts", token: token).status
        try expect("control/v1/accounts for \(person.name)", status, is: 200)
    }
}

private enum HTTP {
    private static let timeout = TimeAmount.seconds(10)
    private static let maximumAnswerBytes = 16 << 20

    static func post(
        _ value: some Encodable, to url: String, token: String? = nil
    ) async throws -> (status: Int, body: ByteBuffer) {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
        request.body = .bytes(ByteBuffer(bytes: try JSONEncoder().encode(value)))
        let answer = try await HTTPClient.shared.execute(request, timeout: timeout)
        return (Int(answer.status.code), try await answer.body.collect(upTo: maximumAnswerBytes))
    }
}
