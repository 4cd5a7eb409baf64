import Foundation

/// A retention message as a seller uploads it (`PUT inApps/v1/messaging/message/{messageIdentifier}`). Lengths are
/// counted in Unicode scalars, as Apple's own clients count them.
public struct UploadMessageRequest: Hashable, Sendable, Codable {
    /// The position of the header.
    public enum HeaderPosition: String, Hashable, Sendable, Codable, CaseIterable {
        /// The position between image and body.
        case aboveBody = "ABOVE_BODY"
        /// Text over the image.
        case aboveImage = "ABOVE_IMAGE"
    }

    /// An image that was uploaded before, with a text for customers who don't see it.
    public struct Image: Hashable, Sendable, Codable {
        /// The image.
        public var imageIdentifier: UUID
        /// The text that stands for the image, up to 150 characters.
        public var altText: String
    }

    /// A line of a list, with an icon.
    public struct BulletPoint: Hashable, Sendable, Codable {
        /// The text, up to 66 characters.
        public var text: String
        /// The icon: an image of the size `BULLET_POINT`.
        public var imageIdentifier: UUID
        /// The text that stands for the image, up to 150 characters.
        public var altText: String
    }

    /// The most characters of a header.
    public static let maximumHeaderLength = 66
    /// The most characters of a body.
    public static let maximumBodyLength = 144
    /// The most characters of the text that stands for an image.
    public static let maximumAltTextLength = 150
    /// The most characters of a bullet point.
    public static let maximumBulletPointLength = 66
    /// The most bullet points.
    public static let maximumBulletPoints = 5

    /// The header of the message.
    public var header: String
    /// The message.
    public var body: String
    /// An image, for messages of text only.
    public var image: Image?
    /// The position of the header; above the body if missing.
    public var headerPosition: HeaderPosition?
    /// A list below the body.
    public var bulletPoints: [BulletPoint]?

    /// The images it names.
    package var images: [(id: UUID, size: RetentionImageSize)] {
        (image.map { [($0.imageIdentifier, .fullSize)] } ?? [])
            + (bulletPoints ?? []).map { ($0.imageIdentifier, .bulletPoint) }
    }

    /// Reads a body.
    /// - Throws: ``ServerAPIError`` with the number of the field that is wrong.
    package init(parsing request: ServerAPIRequestBody) throws {
        header = try request.text(
            "header", upTo: Self.maximumHeaderLength, .headerTooLong, missing: .generalBadRequest)
        body = try request.text("body", upTo: Self.maximumBodyLength, .bodyTooLong, missing: .generalBadRequest)
        let position = try request.optionalChoice("headerPosition", .generalBadRequest, of: HeaderPosition.self)
        let nested = try request.optional(
            "image", .generalBadRequest, "image is an object", as: ServerAPIRequestBody.self)
        image = try nested.map { Image(try $0.imageReference()) }
        headerPosition = position
        let points = try request.optional(
            "bulletPoints", .generalBadRequest, "bulletPoints is a list of objects", as: [ServerAPIRequestBody].self)
        guard points?.count ?? 0 <= Self.maximumBulletPoints else {
            throw ServerAPIError(
                .tooManyBulletPoints, "bulletPoints", "there are at most \(Self.maximumBulletPoints)")
        }
        bulletPoints = try points?.map { point in
            let reference = try point.imageReference()
            return BulletPoint(
                text: try point.text(
                    "text", upTo: Self.maximumBulletPointLength, .bulletPointTextTooLong, missing: .generalBadRequest),
                imageIdentifier: reference.id, altText: reference.altText)
        }
        guard headerPosition != .aboveImage || image != nil else {
            throw ServerAPIError(.headerAboveImageWithoutImage, "headerPosition", "there is no image to stand above")
        }
    }
}

extension UploadMessageRequest.Image {
    init(_ reference: (id: UUID, altText: String)) {
        self.init(imageIdentifier: reference.id, altText: reference.altText)
    }
}

extension ServerAPIRequestBody {
    fileprivate func imageReference() throws -> (id: UUID, altText: String) {
        let id = try uuid("imageIdentifier", .imageNotFound)
        let altText = try required(
            "altText", .altTextTooLong, "altText is a string", as: String.self)
        guard altText.unicodeScalars.count <= UploadMessageRequest.maximumAltTextLength else {
            throw ServerAPIError(
                .altTextTooLong, "altText",
                "altText has at most \(UploadMessageRequest.maximumAltTextLength) characters")
        }
        return (id, altText)
    }
}
