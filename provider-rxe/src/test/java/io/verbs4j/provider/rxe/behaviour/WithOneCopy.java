/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/** Has a test class run once more in the run with one copy; {@code @Tag("onecopy")} has it run in that one alone. */
@Tag("withonecopy")
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@interface WithOneCopy {}
