import Foundation
import NIOCore

/// Purchases over HTTP of 64 clients and more, each with customers of its own.
enum PurchaseRequests {
    static let path = "/sandbox/store/v1/purchases"

    /// The requests for each client; each has an idempotency key of its own.
    static func make(_ count: Int, clients: Int, _ tokens: [String]) -> [[ByteBuffer]] {
        (0..<clients).map { client in
            (0..<count).map { number in
                let token = tokens[(client + number * clients) % tokens.count]
                let body = """
                    {"productId":"\(BenchmarkCatalog.consumable)","quantity":1,"applicationUsername":"reader-4711",\
                    "idempotencyKey":"\(UUID().uuidString)"}
                    """
                return Requests.post(path, body, headers: ["Authorization: Bearer \(token)"])
            }
        }
    }
}
