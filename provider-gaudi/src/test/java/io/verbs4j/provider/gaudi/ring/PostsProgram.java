/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi.ring;

import io.verbs4j.SendWorkRequest;
import io.verbs4j.WorkCompletion;

/** Posts to a ring in plain memory until the JIT compiler has compiled the post. */
final class PostsProgram {
    private PostsProgram() {}

    public static void main(String... args) {
        try (PlainRings rings = new PlainRings(256, SendDescriptor.SIZE, false)) {
            SendWorkRequest wr = PlainRings.write(1);
            WorkCompletion[] wc = {new WorkCompletion()};
            int posted = 0;
            for (int i = 0; i < 1_000_000; i++) {
                if (rings.sends.post(wr.wrId(i), null) == 0) {
                    posted++;
                }
                rings.took(i + 1);
                rings.completes(i);
                rings.cq.poll(1, wc);
            }
            System.out.println("posted " + posted);
        }
    }
}
