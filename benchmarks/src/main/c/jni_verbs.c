/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * The cost of a JNI call that takes a prepared work request, or room for completions, in native memory, like DiSNI's
 * stateful verbs. The pair, the code around the calls and the checks are those of the C program; only the timed loop is
 * in Java.
 */
#include "verbs.h"

#include <jni.h>
#include <stdlib.h>

struct timed {
	struct pair pair;
	const struct verb *verb;
};

static struct timed *at(jlong address)
{
	return (struct timed *)(uintptr_t)address;
}

JNIEXPORT jint JNICALL Java_io_verbs4j_benchmarks_rdmacore_Jni_postSend(JNIEnv *env, jclass type, jlong qp, jlong wr)
{
	struct ibv_send_wr *bad;

	(void)env, (void)type;
	return ibv_post_send((struct ibv_qp *)(uintptr_t)qp, (struct ibv_send_wr *)(uintptr_t)wr, &bad);
}

JNIEXPORT jint JNICALL Java_io_verbs4j_benchmarks_rdmacore_Jni_pollCq(JNIEnv *env, jclass type, jlong cq, jint n, jlong wc)
{
	(void)env, (void)type;
	return ibv_poll_cq((struct ibv_cq *)(uintptr_t)cq, n, (struct ibv_wc *)(uintptr_t)wc);
}

JNIEXPORT jlong JNICALL Java_io_verbs4j_benchmarks_rdmacore_Jni_open(JNIEnv *env, jclass type, jstring name)
{
	const char *chars = (*env)->GetStringUTFChars(env, name, NULL);
	struct timed *t = calloc(1, sizeof *t);

	(void)type;
	if (!chars || !t)
		fail("no memory", "for the pair");
	t->verb = find_verb(chars);
	if (!t->verb)
		fail(chars, "there is no such verb");
	(*env)->ReleaseStringUTFChars(env, name, chars);
	open_pair(&t->pair);
	return (jlong)(uintptr_t)t;
}

JNIEXPORT void JNICALL Java_io_verbs4j_benchmarks_rdmacore_Jni_close(JNIEnv *env, jclass type, jlong address)
{
	(void)env, (void)type;
	close_pair(&at(address)->pair);
	free(at(address));
}

JNIEXPORT void JNICALL Java_io_verbs4j_benchmarks_rdmacore_Jni_before(JNIEnv *env, jclass type, jlong address)
{
	(void)env, (void)type;
	at(address)->verb->before(&at(address)->pair);
}

/* Takes the results of the timed calls, and checks them like those of C. */
JNIEXPORT void JNICALL Java_io_verbs4j_benchmarks_rdmacore_Jni_after(JNIEnv *env, jclass type, jlong address, jint error, jint polled,
	jlong ids)
{
	struct timed *t = at(address);

	(void)env, (void)type;
	t->pair.error |= error;
	t->pair.polled = polled;
	t->pair.ids = (uint64_t)ids;
	t->verb->after(&t->pair);
}

JNIEXPORT jlong JNICALL Java_io_verbs4j_benchmarks_rdmacore_Jni_qp(JNIEnv *env, jclass type, jlong address)
{
	(void)env, (void)type;
	return (jlong)(uintptr_t)at(address)->pair.from.qp;
}

JNIEXPORT jlong JNICALL Java_io_verbs4j_benchmarks_rdmacore_Jni_sendCq(JNIEnv *env, jclass type, jlong address)
{
	(void)env, (void)type;
	return (jlong)(uintptr_t)at(address)->pair.from.sends;
}

/* Returns the i-th work request of a kind; for a list, its i-th element. */
JNIEXPORT jlong JNICALL Java_io_verbs4j_benchmarks_rdmacore_Jni_request(JNIEnv *env, jclass type, jlong address, jint i, jint kind)
{
	struct pair *p = &at(address)->pair;
	struct ibv_send_wr *const kinds[] = {p->writes, p->write_list, p->sends};

	(void)env, (void)type;
	return (jlong)(uintptr_t)&kinds[kind][i];
}

/* Returns room for BATCH completions. */
JNIEXPORT jlong JNICALL Java_io_verbs4j_benchmarks_rdmacore_Jni_completions(JNIEnv *env, jclass type, jlong address)
{
	(void)env, (void)type;
	return (jlong)(uintptr_t)at(address)->pair.wc;
}
