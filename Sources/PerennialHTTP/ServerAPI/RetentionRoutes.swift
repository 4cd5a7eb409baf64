import AppStoreFormats
import Hummingbird
import NIOCore
import Perennial
import PerennialStore

/// Retention messaging: images, messages, default messages, the real-time URL and its performance test.
struct RetentionRoutes {
    let api: ServerAPIRoutes
    let realtime: any RealtimeEndpoint

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let messaging = router.group("inApps/v1/messaging")
        addImages(to: messaging)
        addMessages(to: messaging)
        addDefaults(to: messaging)
        addRealtime(to: messaging)
    }

    private func addImages<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.put("image/:imageIdentifier") { request, context in
            try await api.answering(request, context, .uploadImage) { store, app in
                let id = try context.uuid("imageIdentifier")
                let size = try Self.size(request)
                try await store.uploadImage(try await Self.image(request), id: id, size: size, for: app)
                return Response(status: .ok)
            }
        }
        router.delete("image/:imageIdentifier") { request, context in
            try await api.answering(request, context, .deleteImage) { store, app in
                try await store.deleteImage(try context.uuid("imageIdentifier"), of: app)
                return Response(status: .ok)
            }
        }
        router.get("image/list") { request, context in
            try await api.answering(request, context, .imageList) { store, app in
                try JSONResponse.make(
                    GetImageListResponse(imageIdentifiers: try await store.retentionImages(of: app)))
            }
        }
    }

    private func addMessages<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.put("message/:messageIdentifier") { request, context in
            try await api.answering(request, context, .uploadMessage) { store, app in
                let id = try context.uuid("messageIdentifier")
                let message = try UploadMessageRequest(parsing: try await request.serverAPIBody())
                try await store.uploadMessage(message, id: id, for: app)
                return Response(status: .ok)
            }
        }
        router.delete("message/:messageIdentifier") { request, context in
            try await api.answering(request, context, .deleteMessage) { store, app in
                try await store.deleteMessage(try context.uuid("messageIdentifier"), of: app)
                return Response(status: .ok)
            }
        }
        router.get("message/list") { request, context in
            try await api.answering(request, context, .messageList) { store, app in
                try JSONResponse.make(
                    GetMessageListResponse(messageIdentifiers: try await store.retentionMessages(of: app)))
            }
        }
    }

    private func addDefaults<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.put("default/:productId/:locale") { request, context in
            try await api.answering(request, context, .setDefaultMessage) { store, app in
                let body = try DefaultConfiguration(parsing: try await request.serverAPIBody())
                try await store.setDefaultMessage(
                    body.messageIdentifier, for: Product.ID(rawValue: context.name("productId")),
                    locale: context.name("locale"), of: app)
                return Response(status: .ok)
            }
        }
        router.get("default/:productId/:locale") { request, context in
            try await api.answering(request, context, .defaultMessage) { store, app in
                let message = try await store.defaultMessage(
                    for: Product.ID(rawValue: context.name("productId")), locale: context.name("locale"), of: app)
                return try JSONResponse.make(["messageIdentifier": message.name])
            }
        }
        router.delete("default/:productId/:locale") { request, context in
            try await api.answering(request, context, .deleteDefaultMessage) { store, app in
                try await store.deleteDefaultMessage(
                    for: Product.ID(rawValue: context.name("productId")), locale: context.name("locale"), of: app)
                return Response(status: .ok)
            }
        }
    }

    private func addRealtime<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.put("realtime/url") { request, context in
            try await api.answering(request, context, .setRealtimeURL) { store, app in
                try await store.setRealtimeURL(try RealtimeURL(parsing: try await request.serverAPIBody()), of: app)
                return Response(status: .ok)
            }
        }
        router.get("realtime/url") { request, context in
            try await api.answering(request, context, .realtimeURL) { store, app in
                try JSONResponse.make(try await store.realtimeURL(of: app))
            }
        }
        router.delete("realtime/url") { request, context in
            try await api.answering(request, context, .deleteRealtimeURL) { store, app in
                try await store.deleteRealtimeURL(of: app)
                return Response(status: .ok)
            }
        }
        router.post("performanceTest") { request, context in
            try await api.answering(request, context, .performanceTest) { store, app in
                let id = try PerformanceTestRequest(parsing: try await request.serverAPIBody()).originalTransactionId
                guard let id = TransactionID(id) else {
                    throw ServerAPIError(
                        .invalidTransactionID, "originalTransactionId", "a transaction is named by its number")
                }
                return try JSONResponse.make(try await store.runPerformanceTest(id, of: app, asking: realtime))
            }
        }
        router.get("performanceTest/result/:requestId") { request, context in
            try await api.answering(request, context, .performanceTestResult) { store, app in
                try JSONResponse.make(try await store.performanceTest(context.name("requestId"), of: app))
            }
        }
    }

    private static func size(_ request: Request) throws -> RetentionImageSize {
        guard let text = request.uri.queryParameters["imageSize"] else { return .fullSize }
        guard let size = RetentionImageSize(rawValue: String(text)) else {
            throw ServerAPIError(.invalidImageSize, "imageSize", "imageSize is FULL_SIZE or BULLET_POINT")
        }
        return size
    }

    private static func image(_ request: Request) async throws -> [UInt8] {
        do {
            return Array(try await request.wholeBody(upTo: RetentionImage.maximumBytes).readableBytesView)
        } catch is NIOTooManyBytesError {
            throw ServerAPIError(
                .invalidImage, nil, "an image has at most \(RetentionImage.maximumBytes) bytes")
        }
    }
}
