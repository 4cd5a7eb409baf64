import Dispatch
import Foundation

/// The visibility of a promoted product, with StoreKit's raw values.
///
/// Source: Apple, StoreKit documentation, "SKProductStorePromotionVisibility".
@frozen public enum SKProductStorePromotionVisibility: Int, Sendable {
    case `default` = 0
    case show = 1
    case hide = 2
}

/// Sets the order and visibility of promoted products on this device.
///
/// Without a store all calls fail. Completion handlers are called on the main queue.
///
/// Source: Apple, StoreKit documentation, "SKProductStorePromotionController".
open class SKProductStorePromotionController: NSObject {
    /// Makes a controller.
    public override init() {}

    /// Returns a controller.
    open class func `default`() -> SKProductStorePromotionController { SKProductStorePromotionController() }

    // MARK: Order

    /// Returns the promoted products in this device's order; none for the order of the store.
    ///
    /// - Throws: ``SKError``.
    open nonisolated(nonsending) func promotionOrder() async throws -> [SKProduct] {
        try await Self.promotionOrder(on: CurrentStore.connection)
    }

    /// Gives the promoted products in this device's order; none for the order of the store.
    open func fetchStorePromotionOrder(completionHandler: (([SKProduct], (any Error)?) -> Void)? = nil) {
        let handler = AppObject(object: completionHandler)
        let store = CallerStore()
        Task { await SKProductStorePromotionController.fetchPromotionOrder(on: store, handler) }
    }

    private static func fetchPromotionOrder(
        on store: CallerStore, _ handler: AppObject<(([SKProduct], (any Error)?) -> Void)?>
    ) async {
        do {
            let products = try await promotionOrder(on: store.connection)
            DispatchQueue.main.async { store.call { handler.object?(products, nil) } }
        } catch {
            DispatchQueue.main.async { store.call { handler.object?([], error) } }
        }
    }

    /// Sets this device's order of promoted products.
    ///
    /// - Throws: ``SKError``.
    open nonisolated(nonsending) func update(promotionOrder: [SKProduct]) async throws {
        try Self.change { try $0.setOrder(promotionOrder.map(\.productIdentifier)) }
    }

    /// Sets this device's order of promoted products.
    open func update(
        storePromotionOrder promotionOrder: [SKProduct], completionHandler: (((any Error)?) -> Void)? = nil
    ) {
        complete(completionHandler) { try $0.setOrder(promotionOrder.map(\.productIdentifier)) }
    }

    private static func promotionOrder(on connection: StoreConnection?) async throws -> [SKProduct] {
        guard let connection else { throw StoreFailure.noStore.skError }
        return try await connection.products(for: connection.promotions.order).products
    }

    // MARK: Visibility

    /// Returns the visibility of a product on this device.
    ///
    /// - Throws: ``SKError``.
    open nonisolated(nonsending) func promotionVisibility(
        for product: SKProduct
    ) async throws -> SKProductStorePromotionVisibility {
        guard let connection = CurrentStore.connection else { throw StoreFailure.noStore.skError }
        return SKProductStorePromotionVisibility(connection.promotions.visibility(of: product.productIdentifier))
    }

    /// Gives the visibility of a product on this device.
    open func fetchStorePromotionVisibility(
        for product: SKProduct,
        completionHandler: ((SKProductStorePromotionVisibility, (any Error)?) -> Void)? = nil
    ) {
        let handler = AppObject(object: completionHandler)
        let store = CallerStore()
        DispatchQueue.main.async {
            let connection = store.connection
            store.call {
                handler.object?(
                    connection.map { .init($0.promotions.visibility(of: product.productIdentifier)) } ?? .default,
                    connection == nil ? StoreFailure.noStore.skError : nil)
            }
        }
    }

    /// Sets the visibility of a product on this device.
    ///
    /// - Throws: ``SKError``.
    open nonisolated(nonsending) func update(
        promotionVisibility: SKProductStorePromotionVisibility, for product: SKProduct
    ) async throws {
        try Self.change { try $0.setVisibility(promotionVisibility.setting, of: product.productIdentifier) }
    }

    /// Sets the visibility of a product on this device.
    open func update(
        storePromotionVisibility promotionVisibility: SKProductStorePromotionVisibility, for product: SKProduct,
        completionHandler: (((any Error)?) -> Void)? = nil
    ) {
        complete(completionHandler) { try $0.setVisibility(promotionVisibility.setting, of: product.productIdentifier) }
    }

    // MARK: Parts

    private static func change(_ body: (PromotionSettings) throws -> Void) throws {
        guard let connection = CurrentStore.connection else { throw StoreFailure.noStore.skError }
        do {
            try body(connection.promotions)
        } catch {
            throw SKError(wrapping: error)
        }
    }

    private func complete(_ handler: (((any Error)?) -> Void)?, _ body: (PromotionSettings) throws -> Void) {
        let handler = AppObject(object: handler)
        let failure: SKError?
        do {
            try Self.change(body)
            failure = nil
        } catch {
            failure = SKError(wrapping: error)
        }
        let store = CallerStore()
        DispatchQueue.main.async { store.call { handler.object?(failure) } }
    }
}

extension SKProductStorePromotionVisibility {
    /// Makes the visibility of StoreKit 1 from that of StoreKit 2.
    init(_ visibility: Product.PromotionInfo.Visibility) {
        switch visibility {
        case .visible: self = .show
        case .hidden: self = .hide
        default: self = .default
        }
    }

    /// The visibility of StoreKit 2.
    var setting: Product.PromotionInfo.Visibility {
        switch self {
        case .default: .appStoreConnectDefault
        case .show: .visible
        case .hide: .hidden
        }
    }
}
