/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/** Runs a test class once more in the run with one copy; {@code @Tag("onecopy")} runs it in that run only. */
@Tag("withonecopy")
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@interface WithOneCopy {}
