extension ServerAPIErrorCode {
    /// Name and message. The message is Apple's text where Apple documents one (App Store Server API, error codes), else ours.
    var texts: (name: String, message: String) {
        switch self {
        case .generalBadRequest: ("GeneralBadRequest", "Bad request.")
        case .invalidAppIdentifier: ("InvalidAppIdentifier", "Invalid request app identifier.")
        case .invalidRequestRevision: ("InvalidRequestRevision", "Invalid request revision.")
        case .invalidTransactionID: ("InvalidTransactionId", "Invalid transaction id.")
        case .invalidOriginalTransactionID: ("InvalidOriginalTransactionId", "Invalid original transaction id.")
        case .invalidExtendByDays: ("InvalidExtendByDays", "Invalid extend by days value.")
        case .invalidExtendReasonCode: ("InvalidExtendReasonCode", "Invalid extend reason code.")
        case .invalidRequestIdentifier: ("InvalidRequestIdentifier", "Invalid request identifier.")
        case .startDateTooFarInPast:
            ("StartDateTooFarInPast", "Invalid request. The start date is earlier than the allowed start date.")
        case .startDateAfterEndDate:
            (
                "StartDateAfterEndDate",
                "Invalid request. The end date precedes the start date or the dates are the same."
            )
        case .invalidPaginationToken: ("InvalidPaginationToken", "Invalid request. The pagination token is invalid.")
        case .invalidStartDate:
            (
                "InvalidStartDate",
                "Invalid request. The start date is not a timestamp value represented in milliseconds."
            )
        case .invalidEndDate:
            ("InvalidEndDate", "Invalid request. The end date is not a timestamp value represented in milliseconds.")
        case .paginationTokenExpired: ("PaginationTokenExpired", "Invalid request. The pagination token is expired.")
        case .invalidNotificationType:
            ("InvalidNotificationType", "Invalid request. The notification type or subtype is invalid.")
        case .multipleFiltersSupplied:
            (
                "MultipleFiltersSupplied",
                "Invalid request. Supply either a transaction id or a notification type, but not both."
            )
        case .invalidTestNotificationToken:
            ("InvalidTestNotificationToken", "Invalid request. The test notification token is invalid.")
        case .invalidSort: ("InvalidSort", "Invalid request. The sort parameter is invalid.")
        case .invalidProductType: ("InvalidProductType", "Invalid request. The product type parameter is invalid.")
        case .invalidProductID: ("InvalidProductId", "Invalid request. The product id parameter is invalid.")
        case .invalidSubscriptionGroupIdentifier:
            (
                "InvalidSubscriptionGroupIdentifier",
                "Invalid request. The subscription group identifier parameter is invalid."
            )
        case .invalidExcludeRevoked: ("InvalidExcludeRevoked", "Invalid exclude revoked parameter.")
        case .invalidInAppOwnershipType:
            ("InvalidInAppOwnershipType", "Invalid request. The in-app ownership type parameter is invalid.")
        case .invalidEmptyStorefrontCountryCodeList:
            (
                "InvalidEmptyStorefrontCountryCodeList",
                "Invalid request. If provided, the list of storefront country codes must not be empty."
            )
        case .invalidStorefrontCountryCode:
            ("InvalidStorefrontCountryCode", "Invalid request. A storefront country code was invalid.")
        case .invalidRevoked: ("InvalidRevoked", "Invalid request. The revoked parameter is invalid.")
        case .invalidStatus: ("InvalidStatus", "Invalid request. The status parameter is invalid.")
        case .invalidAccountTenure: ("InvalidAccountTenure", "Invalid request. The account tenure field is invalid.")
        case .invalidAppAccountToken:
            (
                "InvalidAppAccountToken",
                "Invalid request. The app account token field must contain a valid UUID or an empty string."
            )
        case .invalidConsumptionStatus:
            ("InvalidConsumptionStatus", "Invalid request. The consumption status field is invalid.")
        case .invalidCustomerConsented:
            (
                "InvalidCustomerConsented",
                "Invalid request. The customer consented field is required and must indicate the customer consented."
            )
        case .invalidDeliveryStatus: ("InvalidDeliveryStatus", "Invalid request. The delivery status field is invalid.")
        case .invalidLifetimeDollarsPurchased:
            ("InvalidLifetimeDollarsPurchased", "Invalid request. The lifetime dollars purchased field is invalid.")
        case .invalidLifetimeDollarsRefunded:
            ("InvalidLifetimeDollarsRefunded", "Invalid request. The lifetime dollars refunded field is invalid.")
        case .invalidPlatform: ("InvalidPlatform", "Invalid request. The platform field is invalid.")
        case .invalidPlayTime: ("InvalidPlayTime", "Invalid request. The playtime field is invalid.")
        case .invalidSampleContentProvided:
            ("InvalidSampleContentProvided", "Invalid request. The sample content provided field is invalid.")
        case .invalidUserStatus: ("InvalidUserStatus", "Invalid request. The user status field is invalid.")
        case .invalidTransactionNotConsumable:
            (
                "InvalidTransactionNotConsumable",
                "Invalid request. The transaction id parameter must represent a consumable in-app purchase."
            )
        case .invalidRefundPreference:
            ("InvalidRefundPreference", "Invalid request. The refund preference field is invalid.")
        case .invalidTransactionTypeNotSupported:
            (
                "InvalidTransactionTypeNotSupported",
                "Invalid request. The transaction id doesn't represent a supported in-app purchase type."
            )
        case .appTransactionIDNotSupported:
            ("AppTransactionIdNotSupported", "Invalid request. App transactions aren't supported by this endpoint.")
        case .invalidImage: ("InvalidImage", "Invalid image.")
        case .headerTooLong: ("HeaderTooLong", "The header is too long.")
        case .bodyTooLong: ("BodyTooLong", "The body is too long.")
        case .invalidLocale: ("InvalidLocale", "Invalid locale.")
        case .altTextTooLong: ("AltTextTooLong", "The alternative text is too long.")
        case .invalidAppAccountTokenUUID: ("InvalidAppAccountTokenUUID", "The app account token is not a valid UUID.")
        case .familyTransactionNotSupported:
            ("FamilyTransactionNotSupported", "Transactions of Family Sharing are not supported.")
        case .transactionIDIsNotOriginalTransactionID:
            ("TransactionIdIsNotOriginalTransactionId", "The transaction id is not an original transaction id.")
        case .invalidPerformanceTestRequest: ("InvalidPerformanceTestRequest", "Invalid performance test request.")
        case .invalidPerformanceTestRequestID:
            ("InvalidPerformanceTestRequestId", "Invalid performance test request id.")
        case .performanceTestRunning: ("PerformanceTestRunning", "A performance test is running already.")
        case .invalidRealtimeURL: ("InvalidRealtimeURL", "Invalid realtime URL.")
        case .invalidImageSize: ("InvalidImageSize", "Invalid image size.")
        case .tooManyBulletPoints: ("TooManyBulletPoints", "There are too many bullet points.")
        case .bulletPointTextTooLong: ("BulletPointTextTooLong", "The text of a bullet point is too long.")
        case .headerAboveImageWithoutImage: ("HeaderAboveImageWithoutImage", "A header above the image needs an image.")
        case .subscriptionExtensionIneligible:
            (
                "SubscriptionExtensionIneligible",
                "Forbidden - subscription state ineligible for extension."
            )
        case .subscriptionMaxExtension:
            ("SubscriptionMaxExtension", "Forbidden - subscription has reached maximum extension count.")
        case .familySharedSubscriptionExtensionIneligible:
            (
                "FamilySharedSubscriptionExtensionIneligible",
                "Subscriptions that users obtain through Family Sharing can't get a renewal date extension directly."
            )
        case .maximumImages: ("MaximumNumberOfImagesReached", "The maximum number of images is reached.")
        case .maximumMessages: ("MaximumNumberOfMessagesReached", "The maximum number of messages is reached.")
        case .messageNotApproved: ("MessageNotApproved", "The message is not approved.")
        case .imageNotApproved: ("ImageNotApproved", "The image is not approved.")
        case .imageInUse: ("ImageInUse", "The image is in use.")
        case .noPassingPerformanceTest: ("NoPassingPerformanceTest", "No performance test was passed.")
        case .accountNotFound: ("AccountNotFound", "Account not found.")
        case .accountNotFoundRetryable: ("AccountNotFoundRetryable", "Account not found. Please try again.")
        case .appNotFound: ("AppNotFound", "App not found.")
        case .appNotFoundRetryable: ("AppNotFoundRetryable", "App not found. Please try again.")
        case .originalTransactionIDNotFound: ("OriginalTransactionIdNotFound", "Original transaction id not found.")
        case .originalTransactionIDNotFoundRetryable:
            ("OriginalTransactionIdNotFoundRetryable", "Original transaction id not found. Please try again.")
        case .serverNotificationURLNotFound:
            (
                "ServerNotificationURLNotFound",
                "No App Store Server Notification URL found for provided app. Check that a URL is configured in App Store Connect for this environment."
            )
        case .testNotificationNotFound:
            (
                "TestNotificationNotFound",
                "Either the test notification token is expired or the notification and status are not yet available."
            )
        case .statusRequestNotFound:
            (
                "StatusRequestNotFound",
                "The server didn't find a subscription-renewal-date extension request for this requestIdentifier and productId combination."
            )
        case .transactionIDNotFound: ("TransactionIdNotFound", "Transaction id not found.")
        case .imageNotFound: ("ImageNotFound", "Image not found.")
        case .messageNotFound: ("MessageNotFound", "Message not found.")
        case .performanceTestNotFound: ("PerformanceTestNotFound", "Performance test not found.")
        case .appTransactionDoesNotExist: ("AppTransactionDoesNotExist", "No app transaction exists for the customer.")
        case .defaultMessageNotFound: ("DefaultMessageNotFound", "Default message not found.")
        case .realtimeURLNotFound: ("RealtimeURLNotFound", "Realtime URL not found.")
        case .imageAlreadyExists: ("ImageAlreadyExists", "An image with that identifier exists.")
        case .messageAlreadyExists: ("MessageAlreadyExists", "A message with that identifier exists.")
        case .rateLimitExceeded: ("RateLimitExceeded", "Rate limit exceeded.")
        case .generalInternal: ("GeneralInternal", "An unknown error occurred.")
        case .generalInternalRetryable: ("GeneralInternalRetryable", "An unknown error occurred. Please try again.")
        default: advancedCommerceTexts
        }
    }
}
