import Foundation
import Synchronization

/// Asks the store for titles, descriptions and prices.
public final class SKProductsRequest: NSObject, SKRequest {
    private let connection: StoreConnection
    private let productIdentifiers: Set<String>
    private let run = RequestRun()
    private let delegateBox = Mutex<(any SKProductsRequestDelegate)?>(nil)

    /// Asks through the process-wide connection.
    public convenience init(productIdentifiers: Set<String>) {
        self.init(productIdentifiers: productIdentifiers, connection: .ofProcess)
    }

    public init(productIdentifiers: Set<String>, connection: StoreConnection) {
        self.productIdentifiers = productIdentifiers
        self.connection = connection
    }

    /// Held until the request is over.
    public var delegate: (any SKProductsRequestDelegate)? {
        get { delegateBox.withLock { $0 } }
        set { delegateBox.withLock { $0 = newValue } }
    }

    public func start() {
        run.start { [self] in
            do {
                let response = try await connection.products(for: productIdentifiers.sorted())
                tell { request, delegate in
                    delegate.productsRequest(request, didReceive: response)
                    delegate.requestDidFinish(request)
                }
            } catch {
                let error = SKError(wrapping: error)
                tell { request, delegate in delegate.request(request, didFailWithError: error) }
            }
        }
    }

    public func cancel() {
        run.cancel()
        delegate = nil
    }

    private func tell(_ message: @escaping @Sendable (SKProductsRequest, any SKProductsRequestDelegate) -> Void) {
        connection.requestQueue.async { [self] in
            guard !run.isCancelled, let delegate else { return }
            message(self, delegate)
            self.delegate = nil
        }
    }
}

/// What the store answered.
public final class SKProductsResponse: NSObject, Sendable {
    public let products: [SKProduct]
    /// Unknown in this app, not for sale, or without a price in the customer's storefront.
    public let invalidProductIdentifiers: [String]

    init(products: [SKProduct], invalidProductIdentifiers: [String]) {
        self.products = products
        self.invalidProductIdentifiers = invalidProductIdentifiers
    }
}

/// Learns of products.
public protocol SKProductsRequestDelegate: SKRequestDelegate {
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse)
}

extension StoreConnection {
    /// The most identifiers in one request of the protocol; longer lists are asked for in pieces.
    static let maximumProductsInRequest = 1000

    /// Not StoreKit's: the products in the order asked for, without a delegate.
    ///
    /// - Throws: ``SKError``.
    public func products(for identifiers: [String]) async throws -> SKProductsResponse {
        var products: [SKProduct] = []
        var invalid: [String] = []
        var rest = identifiers[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(Self.maximumProductsInRequest))
            rest = rest.dropFirst(piece.count)
            let answer = try await store.products(ProductsQuery(productIds: piece, language: language))
            products += answer.products.map { SKProduct($0) }
            invalid += answer.invalidProductIds
        }
        knownProducts.withLock { [products] known in
            for product in products { known[product.productIdentifier] = product }
        }
        return SKProductsResponse(products: products, invalidProductIdentifiers: invalid)
    }
}
