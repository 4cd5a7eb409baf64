/// A screenshot or an image of a product. Its bytes are stored apart from the catalog.
package struct ListingAsset: Hashable, Sendable, Codable {
    /// The progress of the upload, in App Store Connect's words.
    package enum State: String, Sendable, Codable, CaseIterable {
        case awaitingUpload = "AWAITING_UPLOAD"
        case uploadComplete = "UPLOAD_COMPLETE"
        case complete = "COMPLETE"
        case failed = "FAILED"
    }

    /// A UUID in lower case.
    package var id: String
    package var fileName: String
    /// The size in bytes.
    package var size: Int64
    /// The MD5 digest that the seller has sent, in hexadecimal digits; `nil` before the commit of the upload.
    package var md5: String?
    package var state: State
    /// The random part of the address for the upload.
    package var token: String
    /// The width in pixels; `nil` until the image was read.
    package var width: Int?
    package var height: Int?
    /// The reason of a failure.
    package var error: String?

    package init(id: String, fileName: String, size: Int64, state: State = .awaitingUpload, token: String) {
        self.id = id
        self.fileName = fileName
        self.size = size
        self.state = state
        self.token = token
    }
}
