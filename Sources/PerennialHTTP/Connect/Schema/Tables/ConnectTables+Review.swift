extension ConnectTables {
    /// Screenshots, images, promoted purchases and submissions.
    static let review = """
        inAppPurchaseAppStoreReviewScreenshots v1
          fileSize integer post!
          fileName text post!
          sourceFileChecksum text patch
          imageAsset ImageAsset
          assetToken text
          assetType text
          uploadOperations [UploadOperation]
          assetDeliveryState AppMediaAssetState
          uploaded boolean write patch
          inAppPurchaseV2 >inAppPurchases data post!
          POST - 2.0
          GET {id} 2.0
          PATCH {id} 2.0
          DELETE {id} 2.0

        subscriptionAppStoreReviewScreenshots v1
          fileSize integer post!
          fileName text post!
          sourceFileChecksum text patch
          imageAsset ImageAsset
          assetToken text
          assetType text
          uploadOperations [UploadOperation]
          assetDeliveryState AppMediaAssetState
          uploaded boolean write patch
          subscription >subscriptions data post!
          POST - 2.0
          GET {id} 2.0
          PATCH {id} 2.0
          DELETE {id} 2.0

        inAppPurchaseImages v1
          fileSize integer post!
          fileName text post!
          sourceFileChecksum text patch
          assetToken text
          imageAsset ImageAsset
          uploadOperations [UploadOperation]
          state ImageState
          uploaded boolean write patch
          inAppPurchase >inAppPurchases data post!
          POST - 3.6 deprecated should
          GET {id} 3.6 deprecated should
          PATCH {id} 3.6 deprecated should
          DELETE {id} 3.6 deprecated should

        inAppPurchaseImages.v2 v2
          fileSize integer post!
          fileName text post!
          assetToken text
          imageAsset ImageAsset
          uploadOperations [UploadOperation]
          assetDeliveryState AppMediaAssetState
          uploaded boolean write patch
          version >inAppPurchaseVersions post!
          POST - 4.4.1 should
          GET {id} 4.4.1 should
          PATCH {id} 4.4.1 should
          DELETE {id} 4.4.1 should

        subscriptionImages v1
          fileSize integer post!
          fileName text post!
          sourceFileChecksum text patch
          assetToken text
          imageAsset ImageAsset
          uploadOperations [UploadOperation]
          state ImageState
          uploaded boolean write patch
          subscription >subscriptions data post!
          POST - 3.6 deprecated should
          GET {id} 3.6 deprecated should
          PATCH {id} 3.6 deprecated should
          DELETE {id} 3.6 deprecated should

        subscriptionImages.v2 v2
          fileSize integer post!
          fileName text post!
          assetToken text
          imageAsset ImageAsset
          uploadOperations [UploadOperation]
          assetDeliveryState AppMediaAssetState
          uploaded boolean write patch
          version >subscriptionVersions post!
          POST - 4.4.1 should
          GET {id} 4.4.1 should
          PATCH {id} 4.4.1 should
          DELETE {id} 4.4.1 should

        promotedPurchases v1
          visibleForAllUsers boolean post! patch
          enabled boolean post patch
          state PromotionState
          inAppPurchaseV2 >inAppPurchases data post
          subscription >subscriptions data post
          app >apps post!
          POST - 2.0
          GET {id} 2.0
          PATCH {id} 2.0
          DELETE {id} 2.0

        reviewSubmissions v1
          platform Platform post patch
          submittedDate dateTime
          state SubmissionState
          submitted boolean write patch
          canceled boolean write patch
          app >apps data post!
          items *reviewSubmissionItems data links
          appStoreVersionForReview >appStoreVersions data
          submittedByActor >actors data
          lastUpdatedByActor >actors data
          POST - 1.7
          GET - 1.7 filter=platform,state,app!
          GET {id} 1.7
          PATCH {id} 1.7
          GET {id}/items 1.7
          GET {id}/relationships/items 4.0

        reviewSubmissionItems v1
          state SubmissionItemState
          resolved boolean write patch
          removed boolean write patch
          appStoreVersion >appStoreVersions data post
          appCustomProductPageVersion >appCustomProductPageVersions data post
          appStoreVersionExperiment >appStoreVersionExperiments data post
          appStoreVersionExperimentV2 >appStoreVersionExperiments data post
          appEvent >appEvents data post
          backgroundAssetVersion >backgroundAssetVersions data post
          gameCenterAchievementVersion >gameCenterAchievementVersions data post
          gameCenterActivityVersion >gameCenterActivityVersions data post
          gameCenterChallengeVersion >gameCenterChallengeVersions data post
          gameCenterLeaderboardSetVersion >gameCenterLeaderboardSetVersions data post
          gameCenterLeaderboardVersion >gameCenterLeaderboardVersions data post
          inAppPurchaseVersion >inAppPurchaseVersions data post
          subscriptionVersion >subscriptionVersions data post
          subscriptionGroupVersion >subscriptionGroupVersions data post
          reviewSubmission >reviewSubmissions post!
          POST - 1.7
          PATCH {id} 1.7
          DELETE {id} 1.7
        """
}
