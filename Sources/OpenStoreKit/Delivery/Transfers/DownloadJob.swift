import Foundation

/// The work of a download: one file, or all files of a product.
///
/// A run that ends early leaves its bytes on disk, and the next run continues there.
protocol DownloadJob: Sendable {
    /// Bytes on disk of earlier runs.
    var received: Int64 { get }

    /// Downloads to the end.
    ///
    /// - Parameter progress: Called with the received bytes and the whole size.
    /// - Throws: ``DeliveryError``, `CancellationError`; received bytes stay on disk.
    func run(progress: @escaping @Sendable (_ received: Int64, _ size: Int64) -> Void) async throws

    /// Deletes the received bytes of an unfinished download.
    func discard()
}

/// A change of the files on disk. Tests end the process before each.
package enum DownloadFileChange: String, Sendable, CaseIterable {
    case beginPart, appendToPart, synchronizePart, discardPart, installFile, removeFile
    case writeJournal, storeReceipt, removeReceipt
    /// The request to finish a purchase, which changes the store's data.
    case finishPurchase
}

/// Called before a change of the files; an error prevents it.
package typealias DownloadFileGuard = @Sendable (DownloadFileChange) throws -> Void
