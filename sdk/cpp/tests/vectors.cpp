#include "vectors.hpp"

#include <google/protobuf/util/json_util.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace aurum::tests {

google::protobuf::RepeatedPtrField<Json> vectors(const std::string& file, const std::string& list) {
  const std::string path = std::string(AURUM_VECTORS) + "/" + file;
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  Json json;
  const auto status = google::protobuf::util::JsonStringToMessage(text.str(), &json);
  if (!status.ok()) throw std::runtime_error(path + ": " + status.ToString());
  auto entries = at(json, list).list_value().values();
  if (entries.empty()) throw std::runtime_error(path + " has no " + list);
  return entries;
}

const Json& at(const Json& object, const std::string& key) {
  const auto& fields = object.struct_value().fields();
  const auto found = fields.find(key);
  if (found == fields.end()) throw std::out_of_range("a vector has no " + key);
  return found->second;
}

const std::string& text_at(const Json& object, const std::string& key) { return at(object, key).string_value(); }

std::string bytes_at(const Json& object, const std::string& key) { return from_base64(text_at(object, key)); }

std::string from_base64(std::string_view text) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int count = 0;
  for (const char digit : text.substr(0, text.find('='))) {
    const auto value = kDigits.find(digit);
    if (value == std::string_view::npos) throw std::invalid_argument("a vector is no base64: " + std::string(text));
    bits = bits << 6 | static_cast<unsigned>(value);
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes += static_cast<char>(bits >> count & 0xff);
    }
  }
  return bytes;
}

}  // namespace aurum::tests
