// A bot for run_test.cpp; its first argument says how it behaves.

#include <stdexcept>
#include <string>

#include "aurum/bot.hpp"

class ScriptedBot final : public aurum::Bot {
 public:
  explicit ScriptedBot(std::string behaviour) : behaviour_(std::move(behaviour)) {}

  void setup() override {
    if (behaviour_ == "fails in setup") throw std::runtime_error("model.bin is missing");
  }

  aurum::Move choose(const aurum::Turn& turn) override {
    if (behaviour_ == "throws") throw std::runtime_error("no idea");
    if (behaviour_ == "plays an illegal card") return aurum::Card(aurum::Suit::Gold, 8);
    return turn.legal_cards.front();
  }

 private:
  std::string behaviour_;
};

int main(int argc, char** argv) {
  ScriptedBot bot(argc > 1 ? argv[1] : "");
  return aurum::run(bot, {.name = "Scripted", .version = "1"});
}
