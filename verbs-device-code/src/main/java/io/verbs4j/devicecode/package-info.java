/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Device-side verbs for programs: texts to compile, rings to hand over, and the thread that rings for who can't. */
package io.verbs4j.devicecode;
