extension ServerAPIErrorCode {
    /// The names and messages of Advanced Commerce's and consumption information's codes.
    var advancedCommerceTexts: (name: String, message: String) {
        switch self {
        case .requestInfoMissing: ("NullRequestInfo", "The required field, requestInfo, is missing.")
        case .requestReferenceIDMissing:
            ("NullRequestReferenceID", "The required field, requestReferenceId, is missing.")
        case .invalidRequestReferenceID: ("InvalidRequestReferenceID", "The requestReferenceId value is invalid.")
        case .repeatedRequestReferenceID: ("RepeatedRequestReferenceId", "The requestReferenceId was repeated.")
        case .itemsMissing: ("NullItems", "The required field, items, is missing.")
        case .skuMissing: ("NullSKU", "The required field, SKU, is missing.")
        case .invalidRefundType: ("InvalidRefundType", "The refundType is invalid.")
        case .invalidRefundReason: ("InvalidRefundReason", "The refundReason is invalid.")
        case .mismatchedStorefront: ("MismatchedStorefront", "The storefronts mismatch.")
        case .operationNotAllowed: ("OperationNotAllowed", "The operation is not allowed.")
        case .refundAmountMissing: ("NullRefundAmount", "The refundAmount is missing.")
        case .negativeRefundAmount: ("NegativeRefundAmount", "The refundAmount must be a positive number.")
        case .refundAmountWithoutCustom:
            ("RefundAmountWithoutCustom", "A refund amount goes with the refundType CUSTOM.")
        case .refundReasonMissing: ("NullRefundReason", "The required field, refundReason, is missing.")
        case .refundTypeMissing: ("NullRefundType", "The required field, refundType, is missing.")
        case .simulateRefundDeclineOnlyInSandbox:
            ("SimulateRefundDeclineOnlyInSandbox", "SIMULATE_REFUND_DECLINE is valid in Sandbox only.")
        case .refundRiskingPreferenceMissing:
            ("NullRefundRisking", "The required field, refundRiskingPreference, is missing.")
        case .atLeastOneItem: ("AtLeastOneItem", "Provide at least one item.")
        case .proratedOnlyLatestTransaction:
            ("ProratedOnlyLatestTransaction", "Only the latest transaction can be refunded in proportion.")
        case .revokeOnInactiveSubscription: ("RevokeOnInactiveSubscription", "Only active subscriptions are revocable.")
        case .itemSpecifiedMultipleTimes: ("ItemCannotBeSpecifiedMultipleTimes", "The same SKU is repeated.")
        case .consumptionPercentageOutOfRange:
            ("ConsumptionPercentageOutOfRange", "Invalid consumption percentage field.")
        case .undeliveredConsumptionPercentageNonZero:
            ("UndeliveredConsumptionPercentageNonZero", "The consumption percentage of what was not delivered is zero.")
        case .consumptionPercentageAutoRenewable:
            (
                "ConsumptionPercentageAutoRenewableSubscription",
                "The consumption percentage is not supported for auto-renewable subscriptions."
            )
        case .subscriptionDoesNotExist: ("SubscriptionDoesNotExist", "The subscription does not exist.")
        case .subscriptionNotEligible: ("SubscriptionNotEligible", "The subscription is not eligible for the change.")
        case .inactiveSubscription: ("InactiveACASub", "The subscription is not active.")
        case .alreadyRefunded: ("AlreadyRefunded", "The transaction was already refunded.")
        case .transactionNotRefundable: ("TransactionNotRefundable", "The transaction is not refundable.")
        case .productNotFound: ("ProductNotFound", "Product not found.")
        default: ("GeneralInternal", "An unknown error occurred.")
        }
    }
}
