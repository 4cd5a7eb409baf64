import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage

extension Retention {
    /// The most images of an app (Upload Image).
    package static let maximumImages: Int64 = 2000

    /// The state of a new upload: approved in Sandbox; pending in Production, where an operator reviews it.
    var stateOfUploads: RetentionState { environment.kind.isForTests ? .approved : .pending }

    /// Stores an image for retention messages.
    ///
    /// - Throws: ``ServerAPIError`` 4000161 (not a PNG of the right size without transparency), 4030014, 4090000.
    package func uploadImage(
        _ content: [UInt8], id: UUID, size: RetentionImageSize, for app: App
    ) async throws {
        try RetentionImage(png: content).check(as: size)
        try await database.write { [self] connection in
            let key = key(of: app)
            guard try RetentionImagesTable.count(key, on: connection) < Self.maximumImages else {
                throw ServerAPIError(
                    .maximumImages, nil, "an app has at most \(Self.maximumImages) images")
            }
            let record = RetentionImagesTable.Record(
                id: id.name, size: size.rawValue, state: stateOfUploads.rawValue)
            guard
                try RetentionImagesTable.insert(
                    record, content: content, at: try clock.now(on: connection), key, on: connection)
            else { throw ServerAPIError(.imageAlreadyExists, "imageIdentifier", "there is one of that name") }
        }
    }

    /// Deletes an image.
    ///
    /// - Throws: ``ServerAPIError`` 4040014, 4030019 if a message shows it.
    package func deleteImage(_ id: UUID, of app: App) async throws {
        try await database.write { [self] connection in
            let key = key(of: app)
            guard try !RetentionMessagesTable.isInUse(image: id.name, key, on: connection) else {
                throw ServerAPIError(.imageInUse, "imageIdentifier", "a message shows it: delete that first")
            }
            guard try RetentionImagesTable.delete(id.name, key, on: connection) else { throw Self.noImage(id) }
        }
    }

    package func images(of app: App) async throws -> [GetImageListResponse.Item] {
        let records = try await database.read { [self] connection in
            try RetentionImagesTable.all(key(of: app), limit: Int(Self.maximumImages), on: connection)
        }
        return records.map { record in
            GetImageListResponse.Item(
                imageIdentifier: record.id, imageState: RetentionState(rawValue: record.state) ?? .pending,
                imageSize: RetentionImageSize(rawValue: record.size) ?? .fullSize)
        }
    }

    /// Sets the result of an image's review.
    ///
    /// - Throws: ``ServerAPIError`` 4040014.
    package func setState(_ state: RetentionState, ofImage id: UUID, of app: App) async throws {
        try await database.write { [self] connection in
            guard try RetentionImagesTable.setState(state.rawValue, of: id.name, key(of: app), on: connection) else {
                throw Self.noImage(id)
            }
        }
    }

    static func noImage(_ id: UUID) -> ServerAPIError {
        ServerAPIError(.imageNotFound, "imageIdentifier", "there is no image \(id.name)")
    }
}

extension UUID {
    /// The form in the database and in answers. Clients write either case.
    package var name: String { uuidString.lowercased() }
}
