import CurlTransfer
import ListerPool
import SourceEngine

extension PageFetcher: PagePort {}
extension ListerPool: ReaderPort {}
