/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Unpredictable numbers. */
package io.verbs4j.provider.rxe.random;
