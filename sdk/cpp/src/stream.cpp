#include "stream.hpp"

#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/slice.h>

namespace aurum {

Stream::Stream(grpc::GenericStub& stub, const std::string& token) {
  context_.AddMetadata("authorization", "Bearer " + token);
  call_ = stub.PrepareCall(&context_, "/aurum.v1.RefereeService/Play", &queue_);
  call_->StartCall(nullptr);
  done();  // if it fails, so do all that follow
}

Stream::~Stream() {
  context_.TryCancel();
  queue_.Shutdown();
  void* tag = nullptr;
  bool ok = false;
  while (queue_.Next(&tag, &ok)) {
  }
}

bool Stream::write(const v1::PlayRequest& request) {
  const grpc::Slice bytes(request.SerializeAsString());
  call_->Write(grpc::ByteBuffer(&bytes, 1), nullptr);
  return done();
}

bool Stream::read(grpc::ByteBuffer& message) {
  call_->Read(&message, nullptr);
  return done();
}

const grpc::Status& Stream::status() {
  call_->Finish(&status_, nullptr);
  done();
  return status_;
}

void Stream::leave(std::chrono::milliseconds patience) {
  call_->WritesDone(nullptr);
  done();
  call_->Finish(&status_, nullptr);
  void* tag = nullptr;
  bool ok = false;
  queue_.AsyncNext(&tag, &ok, std::chrono::system_clock::now() + patience);
}

bool Stream::done() {
  void* tag = nullptr;
  bool ok = false;
  return queue_.Next(&tag, &ok) && ok;
}

}  // namespace aurum
