// One Play stream on gRPC.

#pragma once

#include <grpcpp/client_context.h>
#include <grpcpp/completion_queue.h>
#include <grpcpp/generic/generic_stub.h>

#include <chrono>
#include <memory>
#include <string>

#include "aurum/v1/play.pb.h"

namespace aurum {

// Messages come as bytes: the generated stub cannot tell those that are no PlayResponse from the end of a stream.
//
// Every call waits until it is done, so that one thread does all: it reads, thinks and writes, and there is no other
// to hand things over to.
class Stream {
 public:
  Stream(grpc::GenericStub& stub, const std::string& token);
  // Cancels the stream if it is not over.
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  // Returns whether it could; if not, the stream is over, and reading on gives what was said before its end.
  bool write(const v1::PlayRequest& request);
  // Returns whether there was another message before the end.
  bool read(grpc::ByteBuffer& message);
  // How the stream ended, once `read` has come to its end.
  const grpc::Status& status();
  // Says that nothing more will be written, and waits for the other side's end, but not for long.
  void leave(std::chrono::milliseconds patience);

 private:
  // Waits for the operation under way, the only one; returns whether it succeeded.
  bool done();

  grpc::CompletionQueue queue_;
  grpc::ClientContext context_;
  grpc::Status status_;
  std::unique_ptr<grpc::GenericClientAsyncReaderWriter> call_;
};

}  // namespace aurum
