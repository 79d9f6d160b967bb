/* The first legal card, always; exchanges are declined. C with cJSON (Debian: libcjson-dev).
 *
 * Built with: gcc -O2 -o minimal example_bots/bridge/minimal.c -lcjson
 * Its command in a tournament: arena bridge -- ./minimal
 */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cJSON *answer(const cJSON *turn) {
    cJSON *action = cJSON_CreateObject();
    cJSON_AddItemToObject(action, "game", cJSON_Duplicate(cJSON_GetObjectItem(turn, "game"), 1));
    cJSON_AddItemToObject(action, "number", cJSON_Duplicate(cJSON_GetObjectItem(turn, "number"), 1));
    const char *phase = cJSON_GetStringValue(cJSON_GetObjectItem(turn, "phase"));
    const cJSON *card = cJSON_GetArrayItem(cJSON_GetObjectItem(turn, "legal_cards"), 0);
    if (card == NULL || strcmp(phase, "PHASE_EXCHANGE") == 0)
        cJSON_AddItemToObject(action, "pass", cJSON_CreateObject());
    else
        cJSON_AddItemToObject(action, "card", cJSON_Duplicate(card, 1));
    return action;
}

int main(void) {
    setvbuf(stdout, NULL, _IOLBF, 0); /* each line goes out when it ends */
    puts("{\"hello\": {\"protocol_version\": 1, \"bot\": \"Minimal\", \"version\": \"1\", \"language\": \"c\"}}");

    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, stdin) != -1) {
        cJSON *message = cJSON_Parse(line), *answers = cJSON_CreateObject();
        cJSON *actions = cJSON_AddArrayToObject(answers, "actions"), *update;
        cJSON_ArrayForEach(update, cJSON_GetObjectItem(message, "updates")) {
            const cJSON *turn = cJSON_GetObjectItem(update, "turn");
            if (turn != NULL) cJSON_AddItemToArray(actions, answer(turn));
        }
        if (cJSON_GetArraySize(actions) > 0) {
            char *text = cJSON_PrintUnformatted(answers);
            puts(text);
            free(text);
        }
        cJSON_Delete(answers);
        cJSON_Delete(message);
    }
    free(line);
    return 0;
}
