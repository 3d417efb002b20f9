import CurlTransfer
import JobEngine

extension CurlTransfer: TransferPort {}
