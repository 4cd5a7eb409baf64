import StoreKit

/// Loads products with StoreKit 1's request, and turns its delegate into one asynchronous call.
@MainActor
final class ProductLoader: NSObject {
    private var continuation: CheckedContinuation<SKProductsResponse, any Error>?
    private var request: SKProductsRequest?

    func load(_ identifiers: Set<String>) async throws -> SKProductsResponse {
        try await withCheckedThrowingContinuation { continuation in
            self.continuation = continuation
            let request = SKProductsRequest(productIdentifiers: identifiers)
            request.delegate = self
            self.request = request
            request.start()
        }
    }

    private func end(_ result: Result<SKProductsResponse, any Error>) {
        continuation?.resume(with: result)
        continuation = nil
        request?.delegate = nil
        request = nil
    }
}

extension ProductLoader: SKProductsRequestDelegate {
    nonisolated func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        MainActor.assumeIsolated { end(.success(response)) }
    }

    nonisolated func request(_ request: SKRequest, didFailWithError error: any Error) {
        let error = error as? SKError ?? SKError(.unknown)
        MainActor.assumeIsolated { end(.failure(error)) }
    }
}

/// Renews the app's receipt.
@MainActor
final class ReceiptRefresher: NSObject, SKRequestDelegate {
    private var continuation: CheckedContinuation<Void, any Error>?
    private let request = SKReceiptRefreshRequest(receiptProperties: nil)

    func refresh() async throws {
        try await withCheckedThrowingContinuation { continuation in
            self.continuation = continuation
            request.delegate = self
            request.start()
        }
    }

    nonisolated func requestDidFinish(_ request: SKRequest) {
        MainActor.assumeIsolated { continuation?.resume() }
    }

    nonisolated func request(_ request: SKRequest, didFailWithError error: any Error) {
        let error = error as? SKError ?? SKError(.unknown)
        MainActor.assumeIsolated { continuation?.resume(throwing: error) }
    }
}
