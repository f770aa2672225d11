#include "reduce/recipe.h"

struct testcase *recipe_follow(const struct recipe *recipe)
{
	return recipe->base ? edit_apply(recipe->base, recipe->edit) : NULL;
}

void recipe_release(struct recipe *recipe)
{
	testcase_unref(recipe->base);
	if (recipe->base)
		edit_drop(recipe->edit);
	*recipe = (struct recipe){ 0 };
}
