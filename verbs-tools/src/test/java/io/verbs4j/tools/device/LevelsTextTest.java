/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Context;
import io.verbs4j.VerbsLevel;
import io.verbs4j.core.Verbs;
import io.verbs4j.testsupport.StrictJson;
import io.verbs4j.tools.text.Json;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LevelsTextTest {
    @Test
    void levelOneLibraryHasNoExtendedVerbs() {
        FakeDevices devices = new FakeDevices("fake_0");
        try (Context context = devices.open(devices.list().get(0))) {
            assertThat(LevelsText.write(context))
                    .startsWith("hca_id:\tfake_0\n")
                    .containsPattern("program +unknown level")
                    .containsPattern("library +level 1 ")
                    .containsPattern("open_xrcd +came with level 2: the library is too old\n")
                    .containsPattern(
                            "create_qp_ex +came with level 2: the library is too old; verbs of level 1 stand in\n");
        }
    }

    @Test
    void levelsOfAllPartiesAreReported() {
        try (Context context = Verbs.open(Verbs.defaultDevice(), VerbsLevel.CURRENT)) {
            Map<String, Object> map = StrictJson.object(Json.write(LevelsText.json(context)));

            assertThat(map)
                    .containsEntry("program_level", (double) VerbsLevel.CURRENT)
                    .containsEntry("header_level", (double) VerbsLevel.runtime())
                    .containsEntry("library_level", (double) Verbs.level())
                    .containsEntry("provider_name", "rxe");
            assertThat((Map<?, ?>) map.get("extended_verbs")).hasSize(io.verbs4j.ContextSlot.COUNT);
            assertThat(LevelsText.write(context)).contains("rxe, ").doesNotContain("too old");
        }
    }
}
