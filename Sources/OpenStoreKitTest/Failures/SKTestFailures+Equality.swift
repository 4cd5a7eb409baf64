import Foundation
import OpenStoreKit

extension SKTestFailures.AppStoreSync {
    public static func == (one: Self, other: Self) -> Bool { one.value.isEqual(to: other.value) }
    private var value: StoreKitError {
        switch self {
        case .generic(let error): error
        }
    }
}

extension SKTestFailures.AppTransaction {
    public static func == (one: Self, other: Self) -> Bool { one.value.isEqual(to: other.value) }
    private var value: StoreKitError {
        switch self {
        case .generic(let error): error
        }
    }
}

extension SKTestFailures.LoadProducts {
    public static func == (one: Self, other: Self) -> Bool { one.value.isEqual(to: other.value) }
    private var value: StoreKitError {
        switch self {
        case .generic(let error): error
        }
    }
}

extension SKTestFailures.ManageSubscriptions {
    public static func == (one: Self, other: Self) -> Bool { one.value.isEqual(to: other.value) }
    private var value: StoreKitError {
        switch self {
        case .generic(let error): error
        }
    }
}

extension SKTestFailures.OfferCodeRedeem {
    public static func == (one: Self, other: Self) -> Bool { one.value.isEqual(to: other.value) }
    private var value: StoreKitError {
        switch self {
        case .generic(let error): error
        }
    }
}

extension SKTestFailures.SubscriptionStatus {
    public static func == (one: Self, other: Self) -> Bool { one.value.isEqual(to: other.value) }
    private var value: StoreKitError {
        switch self {
        case .generic(let error): error
        }
    }
}

extension SKTestFailures.Purchase {
    public static func == (one: Self, other: Self) -> Bool {
        switch (one, other) {
        case (.generic(let one), .generic(let other)): one.isEqual(to: other)
        case (.purchase(let one), .purchase(let other)): one == other
        default: false
        }
    }
}

extension SKTestFailures.RefundRequest {
    public static func == (one: Self, other: Self) -> Bool {
        switch (one, other) {
        case (.generic(let one), .generic(let other)): one.isEqual(to: other)
        case (.refundRequest(let one), .refundRequest(let other)): one == other
        default: false
        }
    }
}

extension StoreKitError {
    /// Returns true if case and wrapped error are the same. `StoreKitError` itself isn't Equatable.
    fileprivate func isEqual(to other: StoreKitError) -> Bool {
        switch (self, other) {
        case (.networkError(let one), .networkError(let other)): one == other
        case (.systemError(let one), .systemError(let other)): (one as NSError) == (other as NSError)
        default: (self as NSError) == (other as NSError)
        }
    }
}
