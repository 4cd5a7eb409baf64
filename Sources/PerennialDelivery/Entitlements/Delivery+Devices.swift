import AppStoreFormats
import Foundation
import Perennial

extension Delivery {
    /// Checks that a receipt was made for the device that sends it.
    ///
    /// - Parameter receipt: base64; the store has said that it is authentic.
    /// - Throws: ``DeliveryError`` with `receiptForAnotherDevice`.
    static func check(_ receipt: String, isFor device: UUID) throws {
        let contents = try? VerifyReceiptRequest.Receipt(base64: receipt)
        guard contents?.belongs(toDevice: device) == true else {
            throw DeliveryError(
                .receiptForAnotherDevice, "deviceId",
                "the receipt was made for another device: refresh it on this one, or leave out deviceId")
        }
    }

    /// The app that a receipt names, nothing of it proven; `nil` where it can't be read.
    static func claimedApp(of receipt: String) -> App.BundleID? {
        (try? VerifyReceiptRequest.Receipt(base64: receipt))?.claimedBundleID.map(App.BundleID.init(rawValue:))
    }
}
