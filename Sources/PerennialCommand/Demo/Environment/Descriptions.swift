import Foundation
import OpenStoreKit

// Descriptions of values in the output of the demo.

extension SKPaymentTransactionState {
    var word: String {
        switch self {
        case .purchasing: "purchasing"
        case .purchased: "purchased"
        case .failed: "failed"
        case .restored: "restored"
        case .deferred: "deferred"
        }
    }
}

extension String {
    /// A product ID without the app's bundle ID.
    var withoutBundleID: String {
        hasPrefix("\(DemoFolder.bundleID).") ? String(dropFirst(DemoFolder.bundleID.count + 1)) : self
    }
}

extension Sequence<String> {
    var listed: String { joined(separator: ", ") }
}

extension Int64 {
    /// Bytes, as people say them.
    var asBytes: String {
        switch self {
        case ..<10_000: "\(self) bytes"
        case ..<1_000_000: "\(self / 1000) kB"
        default: "\(self / 1_000_000).\(self % 1_000_000 / 100_000) MB"
        }
    }
}

extension Error {
    /// An error as an app sees it: StoreKit's number and the store's word for it.
    var asApp: String {
        guard let error = self as? SKError else { return "\(self)" }
        let word = (error.userInfo[SKStoreErrorCodeKey] as? String).map { ", \($0)" } ?? ""
        return "SKError.\(error.code) (\(error.code.rawValue)\(word))"
    }
}
